import { cart } from "/vitrine/vitrine.js";
import { messagesOf, settled, showMessages, showSections, tell, whileBusy } from "./api.js";
import { money } from "./optimistic-cart.js";

/** The form of a product: variant, quantity, and the buttons to add it to the cart and to buy it now. */
class ProductForm extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    if (this.form === null) return;
    this.add = this.querySelector("[data-add-button]");
    this.buyNow = this.querySelector("[data-buy-now]");
    this.quantity = this.querySelector("[name=quantity]");
    this.variants = [...this.querySelectorAll("template[data-variant]")].map((template) => ({
      id: template.dataset.variant,
      options: JSON.parse(template.dataset.options),
      isAvailable: template.dataset.available === "true",
      template,
    }));
    this.addEventListener("change", (event) => {
      if (event.target.matches("[data-option] input")) this.#choose();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      whileBusy(this.add, () => this.#addToCart());
    });
    this.buyNow?.addEventListener("click", () => whileBusy(this.buyNow, () => this.#buy()));
    // Some browsers restore the selected options of an earlier visit, but the page shows another variant.
    for (const input of this.querySelectorAll("[data-option] input")) input.checked = input.defaultChecked;
    this.#markChoices();
  }

  #chosen() {
    return [...this.querySelectorAll("[data-option]")].map(
      (group) => group.value ?? group.querySelector("input:checked")?.value,
    );
  }

  #choose() {
    const chosen = this.#chosen();
    const variant = this.variants.find(({ options }) => options.every((value, n) => value === chosen[n]));
    const isAvailable = variant?.isAvailable === true;
    this.#say("");
    this.add.disabled = !isAvailable;
    if (this.buyNow !== null) this.buyNow.disabled = !isAvailable;
    this.add.textContent = isAvailable
      ? this.dataset.add
      : variant === undefined
        ? this.dataset.unavailable
        : this.dataset.soldOut;
    this.#markChoices();
    if (variant === undefined) return;
    this.form.elements.id.value = variant.id;
    this.querySelector("[data-variant-facts]")?.replaceChildren(variant.template.content.cloneNode(true));
    const { min, max, step } = variant.template.dataset;
    if (this.quantity.min !== min || this.quantity.step !== step) this.quantity.value = min;
    Object.assign(this.quantity, { min, step, max: max ?? "" });
    this.quantity.dataset.min = min;
    const address = new URL(location.href);
    address.searchParams.set("variant", variant.id);
    history.replaceState(history.state, "", address);
    const { picture } = variant.template.dataset;
    this.dispatchEvent(new CustomEvent("variant:chosen", { bubbles: true, detail: { picture } }));
  }

  /** Strikes out option values that are unavailable with the other selected values. */
  #markChoices() {
    const chosen = this.#chosen();
    for (const [n, group] of this.querySelectorAll("[data-option]").entries()) {
      for (const input of group.querySelectorAll("input")) {
        const values = chosen.with(n, input.value);
        const canBeHad = this.variants.some(
          ({ options, isAvailable }) => isAvailable && options.every((value, at) => value === values[at]),
        );
        input.closest("label").toggleAttribute("data-none", !canBeHad);
      }
    }
    this.#updateLinks();
  }

  /** Makes the links to other products of a combined listing select the same values there. */
  #updateLinks() {
    const groups = [...this.querySelectorAll("[data-option]")];
    const ids = groups.map((group) => (group.querySelector("input:checked") ?? group).dataset.value);
    for (const [n, group] of groups.entries())
      for (const link of group.querySelectorAll("a[data-value]"))
        link.search = `?option_values=${ids.with(n, link.dataset.value)}`;
  }

  async #addToCart() {
    const result = await settled(cart.add(this.#fields()));
    this.#tell(result);
    if (result.ok) showCart(result, this.form.elements.id.value);
  }

  async #buy() {
    const result = await settled(cart.buyNow(this.#fields()));
    if (result.ok) location.assign(result.answer.checkout_url);
    else this.#tell(result);
  }

  /** All fields of the form: a merchant may have added properties to it. */
  #fields() {
    const fields = new FormData(this.form);
    fields.set("quantity", this.quantity.value.trim() || this.quantity.min);
    return fields;
  }

  #tell(result) {
    showMessages(this.querySelector("[data-message]"), messagesOf(result));
  }

  #say(text) {
    this.querySelector("[data-message]").textContent = text;
  }
}

/** Adds all selected products of a bundle to the cart in one write, and shows their total. */
class BundleForm extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    const message = this.querySelector("[data-message]");
    form.addEventListener("change", () => this.#sum());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const items = this.#chosen().map((field) => ({ id: field.value, quantity: Number(offerOf(field).quantity) }));
      message.textContent = items.length === 0 ? this.dataset.choose : "";
      if (items.length === 0) return;
      whileBusy(form.querySelector("[type=submit]"), async () => {
        const result = await settled(cart.add(items));
        showMessages(message, messagesOf(result));
        if (result.ok) showCart(result, items[0].id);
      });
    });
  }

  /** Fields of the selected variants. */
  #chosen() {
    return [...this.querySelectorAll("[data-bundle-item]")]
      .filter((part) => part.querySelector("[name=chosen]")?.checked !== false)
      .flatMap((part) => part.querySelector("[name=id]") ?? []);
  }

  #sum() {
    const priced = this.#chosen().map(offerOf);
    const sum = priced.reduce((all, { price, quantity }) => all + price * quantity, 0);
    const usual = priced.reduce((all, { was, quantity }) => all + was * quantity, 0);
    this.querySelector("[data-together]").textContent = this.dataset.sum.replace("__", () => money(sum));
    this.querySelector("[data-saving]").hidden = usual <= sum;
    this.querySelector("[data-usual]").textContent = money(usual);
    this.querySelector("[data-saved]").textContent = this.dataset.save.replace("__", () => money(usual - sum));
  }
}

/** Returns the unit prices of a selected variant, in minor units, and its minimum quantity. */
function offerOf(field) {
  return (field.selectedOptions?.[0] ?? field).dataset;
}

/** Replaces its content with recommendations before it becomes visible. */
class RelatedProducts extends HTMLElement {
  connectedCallback() {
    const { url, section } = this.dataset;
    if (url === undefined || requestedSections.has(section)) return;
    const watch = new IntersectionObserver(
      async ([entry]) => {
        if (!entry.isIntersecting) return;
        watch.disconnect();
        requestedSections.add(section);
        const response = await fetch(url).catch(() => undefined);
        if (response?.ok) showSections({ [section]: await response.text() });
      },
      { rootMargin: "50%" },
    );
    watch.observe(this);
  }
}

const requestedSections = new Set();

/** @param variant the added variant, whose line may be below the visible lines */
function showCart(result, variant) {
  const drawer = document.querySelector("cart-drawer");
  drawer?.open();
  drawer?.querySelector(`[data-variant="${CSS.escape(variant)}"]`)?.scrollIntoView({ block: "nearest" });
  tell(result);
}

customElements.define("product-form", ProductForm);
customElements.define("bundle-form", BundleForm);
customElements.define("related-products", RelatedProducts);
