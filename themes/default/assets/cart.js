import { announce, editCart, messagesOf, refreshCart, routes, tell, whileBusy } from "./api.js";

const SETTLE_MS = 250;

/** What a shopper does in the cart: quantities, removing, codes, the note. Wraps each section that shows lines or codes. */
class CartForm extends HTMLElement {
  connectedCallback() {
    for (const type of ["click", "input", "change", "focusout", "submit"]) this.addEventListener(type, this);
  }

  handleEvent(event) {
    const { type, target } = event;
    if (type === "click") this.#click(target);
    if (type === "input") target.dataset.pending = "";
    if (type === "change" && target.matches("[data-line-quantity]")) this.#setLater(target);
    if (type === "focusout" && target.matches("[data-note][data-pending]")) {
      delete target.dataset.pending;
      this.#edit(target, routes.update, { note: target.value });
    }
    if (type === "submit" && target.matches("[data-code-form]")) {
      event.preventDefault();
      this.#addCode(target);
    }
  }

  #click(target) {
    const remove = target.closest("[data-remove]");
    if (remove !== null)
      this.#edit(remove.closest(".line"), routes.change, { key: remove.dataset.remove, quantity: 0 });
    const code = target.closest("[data-remove-code]");
    if (code !== null) {
      const rest = this.#codes().filter((one) => one !== code.dataset.removeCode);
      this.#edit(this, routes.update, { discount: rest.join(",") });
    }
    if (target.closest("[data-remove-gift-cards]") !== null) this.#edit(this, routes.update, { gift_cards: "" });
  }

  /** Several clicks on a stepper make one write. */
  #setLater(input) {
    const key = input.dataset.lineQuantity;
    input.dataset.pending = "";
    clearTimeout(waiting.get(key));
    waiting.set(
      key,
      setTimeout(() => {
        waiting.delete(key);
        // Another answer may have replaced the field meanwhile.
        const field = document.querySelector(`[data-line-quantity="${CSS.escape(key)}"]`) ?? input;
        delete field.dataset.pending;
        const quantity = field.value.trim();
        // A field left empty is no wish to take the line out.
        if (quantity === "") refreshCart();
        else this.#edit(field.closest(".line"), routes.change, { key, quantity });
      }, SETTLE_MS),
    );
  }

  #addCode(form) {
    const code = new FormData(form).get("code").trim();
    const kind = form.dataset.codeForm;
    const value = kind === "discount" ? [...this.#codes(), code].join(",") : code;
    delete form.elements.code.dataset.pending;
    if (code !== "") this.#edit(form, routes.update, { [kind]: value });
  }

  #codes() {
    return [...this.querySelectorAll("[data-remove-code]")].map((button) => button.dataset.removeCode);
  }

  async #edit(part, url, payload) {
    part?.setAttribute("aria-busy", "true");
    tell(await editCart(url, payload));
    part?.removeAttribute("aria-busy");
  }
}

const waiting = new Map();

/** A dialog around the section `cart-drawer`. The browser keeps the focus inside and gives it back. */
class CartDrawer extends HTMLElement {
  connectedCallback() {
    this.dialog = this.querySelector("dialog");
    this.addEventListener("click", (event) => {
      if (event.target === this.dialog || event.target.closest("[data-close]") !== null) this.dialog.close();
    });
    this.dialog.addEventListener("close", () => {
      // The control that opened the drawer may have been replaced meanwhile.
      if (document.activeElement === document.body) document.querySelector("[data-cart-link]")?.focus();
    });
    document.addEventListener("click", (event) => {
      if (event.target.closest("[data-cart-link]") === null) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.open();
    });
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
    this.querySelector("[data-focus-first]")?.focus();
  }
}

/** A short word at the corner after a card's plus button. */
class CartNotification extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      if (event.target.closest("[data-close]") !== null) this.hidden = true;
    });
  }

  show(text) {
    const place = this.querySelector("[data-toast-text]");
    if (text !== undefined) place.textContent = text;
    this.hidden = false;
    announce(place.textContent);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.contains(document.activeElement)) this.hidden = true;
    }, 8000);
  }
}

/** Adds a product that has nothing to choose. */
class QuickAdd extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    button.addEventListener("click", () =>
      whileBusy(button, async () => {
        const { variant, quantity } = this.dataset;
        const result = await editCart(routes.add, { items: [{ id: variant, quantity: Number(quantity) }] });
        const said = messagesOf(result).map(({ text }) => text);
        document.querySelector("cart-notification").show(said.length > 0 ? said.join(" ") : undefined);
      }),
    );
  }
}

customElements.define("cart-form", CartForm);
customElements.define("cart-drawer", CartDrawer);
customElements.define("cart-notification", CartNotification);
customElements.define("quick-add", QuickAdd);

// A page from the browser's back-forward cache shows an old cart.
addEventListener("pageshow", (event) => {
  if (event.persisted) refreshCart();
});
