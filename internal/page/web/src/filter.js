// The form of the filter: addresses without empty fields, and problems beside the fields.

document.addEventListener("htmx:configRequest", (event) => {
  const { parameters, elt } = event.detail;
  if (elt.id !== "filter") {
    return;
  }
  for (const name of new Set(Object.keys(parameters))) {
    const values = parameters.getAll(name).filter((value) => value.trim() !== "");
    parameters.delete(name);
    values.forEach((value) => parameters.append(name, value));
  }
  const now = new URLSearchParams(location.search);
  for (const name of ["sort", "desc"]) {
    if (now.get(name)) {
      parameters.append(name, now.get(name));
    }
  }
});

document.addEventListener("htmx:afterSettle", mark);
document.addEventListener("DOMContentLoaded", mark);

// mark shows what is wrong with fields.
function mark() {
  const form = document.getElementById("filter");
  const results = document.getElementById("results");
  if (!form || !results) {
    return;
  }
  const problems = new Map();
  for (const line of (results.dataset.problems || "").split("\n")) {
    const [field, text] = line.split("\t");
    if (text) {
      problems.set(field, text);
    }
  }
  for (const place of form.querySelectorAll(".wrong")) {
    const field = place.id.slice(2);
    place.textContent = problems.get(field) || "";
    const input = document.getElementById("f-" + field);
    if (problems.has(field)) {
      input.setAttribute("aria-invalid", "true");
    } else {
      input.removeAttribute("aria-invalid");
    }
  }
}

// On a narrow screen the filter is folded until somebody wants it.
document.addEventListener("DOMContentLoaded", () => {
  const fields = document.querySelector("#filter details");
  if (fields && matchMedia("(max-width: 60rem)").matches && location.search === "") {
    fields.open = false;
  }
});
