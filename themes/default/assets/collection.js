import { announce, showSections } from "./api.js";

/** Filters and order of a collection or a search without leaving the page. Without it the form and its links load the page anew. */
class CollectionPage extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("[data-filters]");
    if (form === null) return;
    form.addEventListener("change", () => go(addressOf(form)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      go(addressOf(form));
    });
    this.addEventListener("click", (event) => {
      const link = event.target.closest("[data-filter-link]");
      if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go(link.href);
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

/** Shows the list as an address has it. A newer choice makes an older answer worthless. */
async function load(address) {
  newest.abort();
  const mine = new AbortController();
  newest = mine;
  const page = document.querySelector("collection-page");
  const id = page.dataset.section;
  page.querySelector(".grid")?.setAttribute("aria-busy", "true");
  try {
    const url = new URL(address);
    url.searchParams.set("section_id", id);
    const response = await fetch(url, { signal: mine.signal });
    if (!response.ok) throw new Error(String(response.status));
    const html = await response.text();
    if (mine !== newest) return;
    showSections({ [id]: html });
    announce(document.querySelector("collection-page [data-count]").textContent);
  } catch {
    if (mine === newest) location.assign(address);
  }
}

function go(address) {
  history.pushState(null, "", address);
  load(address);
}

/** A form's address without its empty fields. */
function addressOf(form) {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value !== "") url.searchParams.append(name, value);
  return url.href;
}

addEventListener("popstate", () => load(location.href));

document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll(".filter[open]")) if (!open.contains(event.target)) open.open = false;
});

customElements.define("collection-page", CollectionPage);
