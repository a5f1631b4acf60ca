// The banner of a lost connection. When it is back, the parts of the page that follow the server are loaded anew.
import htmx from "htmx.org";

let lost = false;

document.addEventListener("htmx:sseError", () => show(true));
document.addEventListener("htmx:sseOpen", () => {
  const was = lost;
  show(false);
  if (was) {
    document.querySelectorAll("[hx-trigger*='refresh']").forEach((part) => htmx.trigger(part, "refresh"));
  }
});

function show(isLost) {
  lost = isLost;
  document.getElementById("lost").hidden = !lost;
}

// A form that could not be sent stays as it is, and says so.
document.addEventListener("htmx:sendError", (event) => {
  if (event.detail.requestConfig.verb !== "get") {
    const problem = document.getElementById("problem");
    const text = document.createElement("p");
    text.className = "wrong banner";
    text.textContent = "The server cannot be reached: nothing was stored. Send the form again when it is back.";
    problem.replaceChildren(text);
  }
});
document.addEventListener("htmx:beforeRequest", () => document.getElementById("problem").replaceChildren());
