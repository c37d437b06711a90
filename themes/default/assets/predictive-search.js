import { cart, createSuggest } from "/vitrine/vitrine.js";
import { messagesOf, settled, whileBusy } from "./api.js";

/** Milliseconds before the placeholder is shown. A faster response replaces nothing, so the page does not flicker. */
const SKELETON_MS = 300;

/** Shows suggestions while typing: an ARIA combobox with the section `predictive-search`. Without this script, the form opens the search page. */
class PredictiveSearch extends HTMLElement {
  #suggest = createSuggest({
    section: "predictive-search",
    types: ["query", "product", "collection", "page", "article", "bundle"],
    limit: 10,
    limitScope: "each",
  });
  #active = null;
  /** Hints of the current cart, by product id. */
  #hints = new Map();
  /** Elements that show a hint -> their previous content. */
  #plain = new WeakMap();

  connectedCallback() {
    this.input = this.querySelector("input");
    this.panel = this.querySelector("[data-panel]");
    this.status = this.querySelector("[data-status]");
    this.skeleton = this.querySelector("[data-skeleton]");
    this.clear = this.querySelector("[data-clear]");
    const combobox = {
      role: "combobox",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": "suggestion-list",
    };
    for (const [name, value] of Object.entries(combobox)) this.input.setAttribute(name, value);
    this.input.addEventListener("input", () => this.#type());
    this.clear.addEventListener("click", () => {
      this.input.value = "";
      this.#type();
      this.input.focus();
    });
    this.#showClear();
    addEventListener("resize", () => this.#fit());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("focus", () => this.#showAgain());
    this.addEventListener("focusout", (event) => {
      if (this.contains(event.relatedTarget)) return;
      this.#suggest.cancel();
      this.#close();
    });
    this.panel.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-add]");
      if (button !== null) this.#add(button);
    });
    cart.addEventListener("cart:changed", () => {
      this.#hints.clear();
      if (!this.panel.hidden) this.#note();
    });
    // Pressing an option must not move the focus from the field before the click event.
    this.panel.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** Never shows suggestions for an earlier text. */
  async #type() {
    this.#showClear();
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

  #showClear() {
    this.clear.hidden = this.input.value === "";
  }

  #showAgain() {
    const html = this.#suggest.cached(this.input.value);
    if (html !== undefined) this.#show(html);
    return html !== undefined;
  }

  /** Shows that suggestions are loading. */
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
    this.panel.scrollTop = 0;
    this.#fit();
    this.input.setAttribute("aria-expanded", String(this.#options().length > 0));
    this.status.textContent = this.panel.querySelector("[data-count-text]")?.textContent ?? "";
    this.#note();
  }

  /** If the panel is higher than the screen, it ends below a complete row. */
  #fit() {
    const { panel } = this;
    panel.style.maxHeight = "";
    if (panel.hidden) return;
    const { top, bottom, height } = panel.getBoundingClientRect();
    const visible = (visualViewport?.height ?? innerHeight) - top - 8;
    const all = panel.querySelector(".suggestion--all");
    if (all === null || (panel.scrollHeight <= panel.clientHeight + 1 && height <= visible)) return;
    const foot = bottom - all.getBoundingClientRect().top;
    const rows = [...panel.querySelectorAll(".suggestion:not(.suggestion--all)")].map((row) => {
      const box = row.getBoundingClientRect();
      return { from: box.top - top + panel.scrollTop, to: box.bottom - top + panel.scrollTop };
    });
    const room = Math.min(height, visible) - foot;
    const ends = rows
      .map(({ to }) => to)
      .filter((end) => end <= room && !rows.some((row) => row.from < end - 1 && row.to > end + 1));
    if (ends.length > 0) panel.style.maxHeight = `${Math.max(...ends) + foot}px`;
  }

  /** Adds hints about the cart to the suggestions. A separate request, only if the cart has items: suggestions are the same for all visitors. */
  async #note() {
    const links = [...this.panel.querySelectorAll("[data-product]")];
    const ids = links.map((link) => link.dataset.product);
    const isEmpty = document.querySelector(".bubble") === null;
    const name = ids.join();
    if (ids.length > 0 && !isEmpty && !this.#hints.has(name)) {
      const loading = cart.hints(ids).catch(() => []);
      this.#hints.set(name, loading);
    }
    const known = this.#hints.get(name);
    const hints = new Map((isEmpty ? [] : ((await known) ?? [])).map((hint) => [String(hint.id), hint]));
    // The cart has changed meanwhile.
    if (this.#hints.get(name) !== known) return;
    for (const link of links) {
      const place = link.querySelector("[data-cart-note]");
      const { in_cart = 0, reaches_free_delivery = false } = hints.get(link.dataset.product) ?? {};
      const words = [
        ...(in_cart > 0 ? [this.dataset.inCart.replace("__", in_cart)] : []),
        ...(reaches_free_delivery ? [this.dataset.reachesFree] : []),
      ].join(" · ");
      if (!this.#plain.has(place)) this.#plain.set(place, [...place.childNodes]);
      place.classList.toggle("suggestion__detail--cart", words !== "");
      place.replaceChildren(...(words === "" ? this.#plain.get(place) : [words]));
    }
  }

  #add(button) {
    return whileBusy(button, async () => {
      const { add: id, quantity } = button.dataset;
      const result = await settled(cart.add({ id, quantity: Number(quantity) }));
      document.querySelector("cart-notification").show(messagesOf(result));
    });
  }

  #close() {
    clearTimeout(this.patience);
    this.panel.hidden = true;
    this.status.textContent = "";
    this.input.setAttribute("aria-expanded", "false");
    this.#setActive(null);
  }

  #options() {
    return [...this.panel.querySelectorAll("[role=option]:not([data-add])")];
  }

  #key(event) {
    if (event.isComposing) return;
    const options = this.#options();
    const isOpen = !this.panel.hidden && options.length > 0;
    const row = this.#active?.closest(".suggestion-row");
    const link = row?.querySelector("[data-product]") ?? this.#active;
    const at = options.indexOf(link);
    if (event.key === "Escape" && !this.panel.hidden) {
      event.preventDefault();
      this.#suggest.cancel();
      return this.#close();
    }
    if (event.key === "ArrowDown" && this.panel.hidden && this.#showAgain()) return event.preventDefault();
    if (!isOpen) return;
    const isBack = getComputedStyle(this).direction === "rtl";
    const add = row?.querySelector("[data-add]");
    const goesTo = {
      // Moves to the button of a product, and back.
      ...(add ? { [isBack ? "ArrowLeft" : "ArrowRight"]: add, [isBack ? "ArrowRight" : "ArrowLeft"]: link } : {}),
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
