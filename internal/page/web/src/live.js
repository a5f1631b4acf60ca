// The connection to the server's events, and the banner when it is lost. A browser has few connections to a server, which all its tabs share:
// a tab that nobody sees gives its own back, and is loaded anew when it is seen again.
import htmx from "htmx.org";

// Source is an EventSource that is closed while the page is hidden.
class Source {
  constructor(url) {
    this.url = url;
    this.listeners = [];
    this.closed = false;
    this.open();
    this.seen = () => (document.hidden ? this.inner.close() : this.back());
    document.addEventListener("visibilitychange", this.seen);
    window.addEventListener("pagehide", () => this.inner.close());
    window.addEventListener("pageshow", (event) => event.persisted && this.back());
  }

  open() {
    this.inner = new EventSource(this.url);
    this.inner.onopen = (event) => this.onopen?.(event);
    this.inner.onerror = (event) => this.onerror?.(event);
    this.listeners.forEach(([name, listener]) => this.inner.addEventListener(name, listener));
  }

  // back opens the connection again, and gets what changed meanwhile.
  back() {
    if (!this.closed && this.inner.readyState === EventSource.CLOSED) {
      this.open();
      refresh();
    }
  }

  get readyState() {
    return this.inner.readyState;
  }

  addEventListener(name, listener) {
    this.listeners.push([name, listener]);
    this.inner.addEventListener(name, listener);
  }

  removeEventListener(name, listener) {
    this.listeners = this.listeners.filter(([n, l]) => n !== name || l !== listener);
    this.inner.removeEventListener(name, listener);
  }

  // close is called by htmx, for good.
  close() {
    this.closed = true;
    this.inner.close();
    document.removeEventListener("visibilitychange", this.seen);
  }
}

htmx.createEventSource = (url) => new Source(url);

function refresh() {
  document.querySelectorAll("[hx-trigger*='refresh']").forEach((part) => htmx.trigger(part, "refresh"));
}

let lost = false;

document.addEventListener("htmx:sseError", () => show(true));
document.addEventListener("htmx:sseOpen", () => {
  if (lost) {
    refresh();
  }
  show(false);
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
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.requestConfig.verb !== "get") {
    document.getElementById("problem").replaceChildren();
  }
});
