import { createSuggest } from "/vitrine/vitrine.js";

/** A fast answer comes before the skeleton, so that nothing flickers. */
const SKELETON_MS = 300;

/** Suggestions while typing: an ARIA combobox over the section `predictive-search`. Without it the form goes to the search page. */
class PredictiveSearch extends HTMLElement {
  #suggest = createSuggest({
    section: "predictive-search",
    types: ["query", "product", "collection", "page", "article", "bundle"],
    limit: 10,
    limitScope: "each",
  });
  #active = null;

  connectedCallback() {
    this.input = this.querySelector("input");
    this.panel = this.querySelector("[data-panel]");
    this.status = this.querySelector("[data-status]");
    this.skeleton = this.querySelector("[data-skeleton]");
    const combobox = {
      role: "combobox",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": "suggestion-list",
    };
    for (const [name, value] of Object.entries(combobox)) this.input.setAttribute(name, value);
    this.input.addEventListener("input", () => this.#type());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("focus", () => this.#showAgain());
    this.addEventListener("focusout", (event) => {
      if (this.contains(event.relatedTarget)) return;
      this.#suggest.cancel();
      this.#close();
    });
    // A press on an option must not take the focus from the field before the click counts.
    this.panel.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** Nothing older than the newest letters is ever shown. */
  async #type() {
    clearTimeout(this.patience);
    this.#setActive(null);
    this.patience = setTimeout(() => this.#wait(), SKELETON_MS);
    try {
      const html = await this.#suggest(this.input.value);
      if (html === null) this.#close();
      else if (html !== undefined) this.#show(html);
    } catch (error) {
      this.#close();
      if (error.status === 0) this.status.textContent = this.dataset.failed;
    }
  }

  #showAgain() {
    const html = this.#suggest.cached(this.input.value);
    if (html !== undefined) this.#show(html);
    return html !== undefined;
  }

  /** Shows that suggestions are on their way. */
  #wait() {
    this.panel.replaceChildren(this.skeleton.content.cloneNode(true));
    this.panel.hidden = false;
    this.input.setAttribute("aria-expanded", "false");
    this.status.textContent = this.panel.firstElementChild.textContent;
  }

  #show(html) {
    clearTimeout(this.patience);
    const made = new DOMParser().parseFromString(html, "text/html");
    const section = made.getElementById("store-section-predictive-search");
    this.panel.replaceChildren(...(section?.childNodes ?? []));
    this.#setActive(null);
    this.panel.hidden = false;
    this.input.setAttribute("aria-expanded", String(this.#options().length > 0));
    this.status.textContent = this.panel.querySelector("[data-count-text]")?.textContent ?? "";
  }

  #close() {
    clearTimeout(this.patience);
    this.panel.hidden = true;
    this.status.textContent = "";
    this.input.setAttribute("aria-expanded", "false");
    this.#setActive(null);
  }

  #options() {
    return [...this.panel.querySelectorAll("[role=option]")];
  }

  #key(event) {
    if (event.isComposing) return;
    const options = this.#options();
    const isOpen = !this.panel.hidden && options.length > 0;
    const at = options.indexOf(this.#active);
    if (event.key === "Escape" && !this.panel.hidden) {
      event.preventDefault();
      this.#suggest.cancel();
      return this.#close();
    }
    if (event.key === "ArrowDown" && this.panel.hidden && this.#showAgain()) return event.preventDefault();
    if (!isOpen) return;
    const goesTo = {
      ArrowDown: options[at + 1] ?? null,
      ArrowUp: at === -1 ? options.at(-1) : (options[at - 1] ?? null),
      // Home and End move the caret until an option is marked.
      ...(at === -1 ? {} : { Home: options[0], End: options.at(-1) }),
    };
    if (event.key in goesTo) {
      event.preventDefault();
      this.#setActive(goesTo[event.key]);
    }
    if (event.key === "Enter" && this.#active !== null) {
      event.preventDefault();
      this.#active.click();
    }
  }

  #setActive(option) {
    this.#active?.setAttribute("aria-selected", "false");
    this.#active = option;
    if (option === null) return this.input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }
}

customElements.define("predictive-search", PredictiveSearch);
