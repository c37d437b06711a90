const PAUSE_MS = 120;
/** A fast answer comes before the skeleton, so that nothing flickers. */
const SKELETON_MS = 300;
const KEPT_ANSWERS = 30;

/** Suggestions while typing: an ARIA combobox over the section `predictive-search`. Without it the form goes to the search page. */
class PredictiveSearch extends HTMLElement {
  #sequence = 0;
  #controller = new AbortController();
  #answers = new Map();
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
    this.input.addEventListener("focus", () => {
      if (this.#terms() !== "" && this.#answers.has(this.#terms())) this.#show(this.#terms());
    });
    this.addEventListener("focusout", (event) => {
      if (!this.contains(event.relatedTarget)) this.#close();
    });
    // A press on an option must not take the focus from the field before the click counts.
    this.panel.addEventListener("mousedown", (event) => event.preventDefault());
  }

  #terms() {
    return this.input.value.trim().replace(/\s+/g, " ");
  }

  /** Every keystroke makes what is under way worthless: nothing older than the newest letters is ever shown. */
  #type() {
    this.#sequence += 1;
    const mine = this.#sequence;
    this.#controller.abort();
    clearTimeout(this.timer);
    clearTimeout(this.patience);
    this.#setActive(null);
    const terms = this.#terms();
    if (terms === "") return this.#close();
    if (this.#answers.has(terms)) return this.#show(terms);
    this.timer = setTimeout(() => this.#ask(terms, mine), PAUSE_MS);
    this.patience = setTimeout(() => this.#wait(), SKELETON_MS);
  }

  async #ask(terms, mine) {
    this.#controller = new AbortController();
    const query = new URLSearchParams({
      q: terms,
      section_id: "predictive-search",
      "resources[type]": "query,product,collection,page,article,bundle",
      "resources[limit]": "10",
      "resources[limit_scope]": "each",
    });
    try {
      const response = await fetch(`${this.dataset.url}?${query}`, { signal: this.#controller.signal });
      const html = response.ok ? await response.text() : "";
      if (mine !== this.#sequence) return;
      if (!response.ok) return this.#close();
      if (this.#answers.size >= KEPT_ANSWERS) this.#answers.delete(this.#answers.keys().next().value);
      this.#answers.set(terms, html);
      this.#show(terms);
    } catch (error) {
      if (mine !== this.#sequence || error.name === "AbortError") return;
      this.#close();
      this.status.textContent = this.dataset.failed;
    }
  }

  /** Shows that suggestions are on their way. */
  #wait() {
    this.panel.replaceChildren(this.skeleton.content.cloneNode(true));
    this.panel.hidden = false;
    this.input.setAttribute("aria-expanded", "false");
    this.status.textContent = this.panel.firstElementChild.textContent;
  }

  #show(terms) {
    clearTimeout(this.patience);
    const made = new DOMParser().parseFromString(this.#answers.get(terms), "text/html");
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
      this.#sequence += 1;
      this.#controller.abort();
      clearTimeout(this.timer);
      return this.#close();
    }
    if (event.key === "ArrowDown" && this.panel.hidden && this.#answers.has(this.#terms())) {
      event.preventDefault();
      return this.#show(this.#terms());
    }
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
