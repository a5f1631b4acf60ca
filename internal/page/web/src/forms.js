// What people type is kept while the server replaces the form under them, and a column of a spreadsheet is pasted over rows.

// kept are the inputs of a form that were changed and not sent, by ID.
let kept = null;

const changed = (input) => input.type === "text" && input.id && input.value !== input.defaultValue;

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, requestConfig } = event.detail;
  if (!target || !["proposals", "trial"].includes(target.id)) {
    return;
  }
  kept = new Map();
  for (const input of target.querySelectorAll("input")) {
    if (changed(input) && !(requestConfig.verb === "post" && requestConfig.parameters.has(input.name))) {
      kept.set(input.id, { value: input.value, label: labelOf(input) });
    }
  }
});

document.addEventListener("htmx:afterSwap", () => {
  if (!kept) {
    return;
  }
  const gone = new Map(); // what was typed in rows that are gone, by trial and column
  for (const [id, { value, label }] of kept) {
    const input = document.getElementById(id);
    if (input) {
      input.value = value;
      input.closest("details")?.setAttribute("open", "");
    } else if (/^(value|failed)\./.test(id)) {
      const [kind, trial, column] = id.split(".");
      const row = gone.get(trial) || { label, trial, typed: new Map() };
      row.typed.set(column || "0", kind === "failed" ? `failed: ${value}` : value);
      gone.set(trial, row);
    }
  }
  kept = null;
  const list = document.getElementById("unsent");
  if (list && gone.size > 0) {
    list.replaceChildren(...[...gone.values()].map(notice));
    list.hidden = false;
  }
});

// labelOf returns what people call the row of an input.
function labelOf(input) {
  return input.closest("tr")?.querySelector("th")?.textContent.trim() || "";
}

// notice says that values were typed for a row that somebody else has told meanwhile. Its link carries them to the trial.
function notice({ label, trial, typed }) {
  const item = document.createElement("li");
  item.className = "refused";
  const name = document.createElement("strong");
  name.textContent = label;
  const link = document.createElement("a");
  const study = location.pathname.split("/").slice(0, 3).join("/");
  link.href = `${study}/trial/${trial}?${new URLSearchParams([...typed].map(([column, value]) => [`another.${column}`, value]))}`;
  link.textContent = "Open the trial";
  item.append(name, ` It was told meanwhile, and waits no more. You had typed ${[...typed.values()].join(", ")}, which is not stored. `, link);
  return item;
}

// A pasted column, or several, goes down the rows from the field where it is pasted.
document.addEventListener("paste", (event) => {
  const first = event.target;
  if (!(first instanceof HTMLInputElement) || first.getAttribute("form") !== "tell") {
    return;
  }
  const lines = event.clipboardData.getData("text").replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  if (lines.length < 2 && !lines[0].includes("\t")) {
    return;
  }
  event.preventDefault();
  const rows = [...document.querySelectorAll("#proposals tbody tr")];
  const fields = (row) => [...row.querySelectorAll("input[form='tell']")];
  const top = rows.indexOf(first.closest("tr"));
  const left = fields(rows[top]).indexOf(first);
  lines.forEach((line, down) => {
    const row = rows[top + down];
    line.split("\t").forEach((text, right) => {
      const input = row && fields(row)[left + right];
      if (input) {
        input.value = text.trim();
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
  });
  const more = top + lines.length - rows.length;
  if (more > 0) {
    const list = document.getElementById("unsent");
    const item = document.createElement("li");
    item.className = "refused";
    item.textContent = `${more} of ${lines.length} pasted lines are beyond the last row, and are left out.`;
    list.replaceChildren(item);
    list.hidden = false;
  }
});

// Enter goes down a column, as in a spreadsheet; with Ctrl it sends the form.
document.addEventListener("keydown", (event) => {
  const input = event.target;
  if (event.key !== "Enter" || !(input instanceof HTMLInputElement) || input.getAttribute("form") !== "tell") {
    return;
  }
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) {
    document.getElementById("tell").requestSubmit();
    return;
  }
  const column = [...document.querySelectorAll("input[form='tell']")].filter((other) => other.name.split(".")[2] === input.name.split(".")[2]);
  const next = column[column.indexOf(input) + (event.shiftKey ? -1 : 1)];
  (next || document.querySelector("button[form='tell']")).focus();
});
