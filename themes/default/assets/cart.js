import { cart } from "/vitrine/vitrine.js";
import { announce, messagesOf, refreshCart, settled, showMessages, tell, whileBusy, writesSucceed } from "./api.js";
import { nestedLines, restoreLine, showQuantity } from "./optimistic-cart.js";

const SETTLE_MS = 250;

/** Edits the cart: quantities, removal, codes, the note. Wraps each section that shows lines or codes. */
class CartForm extends HTMLElement {
  connectedCallback() {
    for (const type of ["click", "input", "change", "focusout", "submit"]) this.addEventListener(type, this);
  }

  handleEvent(event) {
    const { type, target } = event;
    if (type === "click") this.#click(event);
    if (type === "input") target.dataset.pending = "";
    if (type === "change" && target.matches("[data-line-quantity]")) this.#setLater(target);
    if (type === "focusout" && target.matches("[data-note][data-pending]")) this.#saveNote(target);
    if (type === "submit") {
      event.preventDefault();
      if (target.matches("[data-code-form]")) this.#addCode(target);
    }
  }

  #click(event) {
    const { target } = event;
    const link = target.closest("a[data-after-writes]");
    if (link !== null) this.#follow(event, link);
    const remove = target.closest("[data-remove]");
    if (remove !== null) this.#setQuantity(remove.closest(".line"), 0);
    const undo = target.closest("[data-undo-button]");
    if (undo !== null) this.#undo(undo);
    const code = target.closest("[data-remove-code]");
    if (code !== null) {
      const rest = this.#codes().filter((one) => one !== code.dataset.removeCode);
      this.#edit(this, cart.update({ discount: rest.join(",") }));
    }
    if (target.closest("[data-remove-gift-cards]") !== null) this.#edit(this, cart.update({ gift_cards: "" }));
  }

  /** Delays a link until all writes are done, so that the next page shows the current cart. */
  async #follow(event, link) {
    CartForm.sendPending();
    if (cart.pending === 0) return;
    event.preventDefault();
    await whileBusy(link, async () => {
      if (await writesSucceed()) location.assign(link.href);
    });
  }

  /** Sends all changes that were typed but not sent yet. */
  static sendPending() {
    for (const field of document.querySelectorAll("cart-form [data-pending]")) {
      const form = field.closest("cart-form");
      if (field.matches("[data-note]")) form.#saveNote(field);
      else if (field.matches("[data-line-quantity]")) form.#sendQuantity(field);
      else if (field.matches("[data-code-form] [name=code]")) form.#addCode(field.form);
    }
  }

  #saveNote(field) {
    delete field.dataset.pending;
    this.#edit(field, cart.update({ note: field.value }));
  }

  #sendQuantity(field) {
    delete field.dataset.pending;
    const quantity = field.value.trim();
    // An empty field does not remove the line.
    if (quantity === "") refreshCart();
    else this.#setQuantity(field.closest(".line"), quantity);
  }

  /** Combines several clicks on a stepper into one write. */
  #setLater(input) {
    const key = input.dataset.lineQuantity;
    input.dataset.pending = "";
    if (Number(input.value) > 0) showQuantity(key, Number(input.value));
    stopWaiting(key);
    waiting.set(
      key,
      setTimeout(() => {
        waiting.delete(key);
        // Another response may have replaced the field meanwhile.
        this.#sendQuantity(quantityFields(key)[0] ?? input);
      }, SETTLE_MS),
    );
  }

  /** Shows a change before the response, and undoes it if the shop rejects it. A removed line can be added again. */
  async #setQuantity(line, quantity) {
    const { line: key, title } = line.dataset;
    const items = itemsOf(line);
    const section = this.closest("[id^=store-section-]");
    const isRemoval = Number(quantity) === 0;
    // Drops earlier changes of this line that are not sent yet.
    stopWaiting(key);
    for (const field of quantityFields(key)) delete field.dataset.pending;
    if (Number.isInteger(Number(quantity))) showQuantity(key, Number(quantity));
    const result = await this.#edit(line, cart.change(key, quantity));
    if (!result.ok) return restoreLine(key);
    if (!isRemoval) return;
    offer = { revision: result.answer.revision, section, title, items };
    showUndo();
  }

  async #undo(button) {
    const section = this.closest("[id^=store-section-]");
    await whileBusy(button, async () => tell(await settled(cart.add(JSON.parse(button.dataset.items)))));
    section.querySelector("[data-focus-first]")?.focus({ preventScroll: true });
  }

  #addCode(form) {
    const code = new FormData(form).get("code").trim();
    const kind = form.dataset.codeForm;
    const currentCodes = kind === "discount" ? this.#codes() : JSON.parse(form.dataset.giftCards);
    const value = [...currentCodes, code].join(",");
    delete form.elements.code.dataset.pending;
    if (code !== "") this.#edit(form, cart.update({ [kind]: value }));
  }

  #codes() {
    return [...this.querySelectorAll("[data-remove-code]")].map((button) => button.dataset.removeCode);
  }

  async #edit(part, write) {
    part?.setAttribute("aria-busy", "true");
    const result = await settled(write);
    tell(result);
    part?.removeAttribute("aria-busy");
    return result;
  }
}

/** Changes of quantities that are not sent yet: a line's key -> its timer. */
const waiting = new Map();

function stopWaiting(key) {
  clearTimeout(waiting.get(key));
  waiting.delete(key);
}

function quantityFields(key) {
  return document.querySelectorAll(`[data-line-quantity="${CSS.escape(key)}"]`);
}

/** Returns the items that add a line and its nested lines again. */
function itemsOf(line) {
  const itemOf = ({ dataset: { variant, quantity, properties } }, parent) => ({
    id: variant,
    quantity: Number(quantity),
    properties: JSON.parse(properties),
    ...parent,
  });
  const nested = [...nestedLines(line)].map((other) => itemOf(other, { parent_id: line.dataset.variant }));
  return [itemOf(line, { parent_line_key: line.dataset.parentLine }), ...nested];
}

/** The line that was removed last, until the cart changes again. */
let offer;

cart.addEventListener("cart:changed", ({ detail }) => {
  if (offer === undefined) return;
  // Sections of the same revision that were rendered again lack the button.
  if (detail.cart.revision === offer.revision) showUndo();
  else offer = undefined;
});

/** Shows the button that adds the removed line again. */
function showUndo() {
  const { section, title, items } = offer;
  for (const place of document.querySelectorAll("[data-undo]")) {
    const text = place.dataset.text.replace("__", () => title);
    place.querySelector("[data-undo-text]").textContent = text;
    place.querySelector("[data-undo-button]").dataset.items = JSON.stringify(items);
    if (place.hidden && section.contains(place)) announce(text);
    place.hidden = false;
  }
  // The pressed button is gone, so the focus moves to the undo button.
  const isLost = document.activeElement === document.body || document.activeElement.matches("[data-focus-first]");
  if (isLost) section.querySelector("[data-undo-button]")?.focus({ preventScroll: true });
}

/** A dialog with the section `cart-drawer`. The browser keeps the focus inside, and restores it when the dialog closes. */
class CartDrawer extends HTMLElement {
  connectedCallback() {
    this.dialog = this.querySelector("dialog");
    this.addEventListener("click", (event) => {
      if (event.target === this.dialog || event.target.closest("[data-close]") !== null) this.dialog.close();
    });
    this.dialog.addEventListener("close", () => {
      this.unfollow?.();
      this.unfollow = undefined;
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
    this.unfollow ??= cart.live();
    this.querySelector("[data-focus-first]")?.focus();
  }
}

/** A short notification in the corner after an add from a product card. */
class CartNotification extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      if (event.target.closest("[data-close]") !== null) this.hidden = true;
    });
  }

  /** @param messages messages to show instead of the total of the cart */
  show(messages) {
    const place = this.querySelector("[data-toast-text]");
    if (messages.length > 0) showMessages(place, messages);
    this.hidden = false;
    announce(place.textContent);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.contains(document.activeElement)) this.hidden = true;
    }, 8000);
  }
}

/** Adds a product without options. */
class QuickAdd extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    button.addEventListener("click", () =>
      whileBusy(button, async () => {
        const { variant, quantity } = this.dataset;
        const result = await settled(cart.add({ id: variant, quantity: Number(quantity) }));
        document.querySelector("cart-notification").show(messagesOf(result));
      }),
    );
  }
}

addEventListener("pagehide", CartForm.sendPending);

// While lines are visible, changes of prices, of stock, and on other devices are shown.
if (document.getElementById("store-section-main-cart-items") !== null) cart.live();

customElements.define("cart-form", CartForm);
customElements.define("cart-drawer", CartDrawer);
customElements.define("cart-notification", CartNotification);
customElements.define("quick-add", QuickAdd);
