import { announce, showSections } from "./api.js";

/** Filters and sorts a collection or a search without a page load. Without this script, the form and its links load the page. */
class CollectionPage extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("[data-filters]");
    if (form === null) return;
    form.addEventListener("change", () => load(addressOf(form), true));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      load(addressOf(form), true);
    });
    this.addEventListener("click", (event) => {
      const link = event.target.closest("[data-filter-link]");
      if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      load(link.href, true);
    });
    this.addEventListener("keydown", (event) => {
      const open = event.target.closest("details[open]");
      if (event.key !== "Escape" || open === null) return;
      open.open = false;
      open.querySelector("summary").focus();
    });
  }
}

let newest = new AbortController();

/** URL of the list that the page shows, without a fragment. */
let shown = withoutFragment(location.href);

/** Shows the list of a URL. A later call cancels an earlier one. Without a response, the page does not change.
 *  @param isNew adds the URL to the browser's history */
async function load(address, isNew = false) {
  newest.abort();
  const mine = new AbortController();
  newest = mine;
  const page = document.querySelector("collection-page");
  const id = page.dataset.section;
  page.querySelector(".grid")?.setAttribute("aria-busy", "true");
  showMessage(page, "");
  const url = new URL(address);
  url.searchParams.set("section_id", id);
  let response;
  let html;
  try {
    response = await fetch(url, { signal: mine.signal });
    html = await response.text();
  } catch {
    html = undefined;
  }
  if (mine !== newest) return;
  if (html === undefined || response.status === 429 || response.status >= 500) return stay(page);
  if (!response.ok) return location.assign(address);
  if (isNew) history.pushState(null, "", address);
  shown = withoutFragment(address);
  showSections({ [id]: html });
  announce(document.querySelector("collection-page [data-count]")?.textContent ?? "");
}

/** Shows an error, and leaves the list and its form unchanged. */
function stay(page) {
  page.querySelector(".grid")?.removeAttribute("aria-busy");
  page.querySelector("[data-filters]")?.reset();
  showMessage(page, document.body.dataset.networkError);
}

function showMessage(page, text) {
  const message = page.querySelector("[data-list-message]");
  if (message !== null) message.textContent = text;
}

function withoutFragment(address) {
  return address.split("#", 1)[0];
}

/** Returns the URL of a form without its empty fields. */
function addressOf(form) {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value !== "") url.searchParams.append(name, value);
  return url.href;
}

addEventListener("popstate", () => {
  if (withoutFragment(location.href) !== shown) load(location.href);
});

document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll(".filter[open]")) if (!open.contains(event.target)) open.open = false;
});

customElements.define("collection-page", CollectionPage);
