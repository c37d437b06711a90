/**
 * Library of the standard storefront events, for themes that load this library from another platform's servers. It
 * dispatches actions of shoppers as DOM events with the fields of
 * https://shopify.dev/docs/api/storefront-events-and-actions/events. A module without side effects.
 */

const toGlobalId = (type, id) =>
  id === null || id === undefined || id === "" || String(id).startsWith("gid://") ? id : `gid://shopify/${type}/${id}`;

/** An event that bubbles. Each field of its payload is a property of the event. */
export class ShopifyStandardEvent extends Event {
  constructor(name, payload = {}) {
    super(name, { bubbles: true, composed: true });
    for (const [field, value] of Object.entries(payload))
      Object.defineProperty(this, field, { value, enumerable: true, configurable: true });
  }
}

/** Creates a promise with its resolve and reject functions. Browsers do not report an unhandled rejection of it. */
const createPromise = () => {
  const resolvers = {};
  const promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  promise.catch(() => {});
  return { promise, ...resolvers };
};

/**
 * Converts the response of `/cart.js` or of a cart write, with amounts in minor units, to the cart format of the
 * events.
 */
const createCartFromAjaxResponse = (cart) => {
  if (!cart || !Array.isArray(cart.items)) return null;
  const currencyCode = cart.currency_code ?? window.Shopify?.currency?.active ?? "";
  // The shop sends the number of decimals, because Intl has too few for some currencies: 0 for RSD, instead of 2.
  const decimals = Number(document.querySelector("script[data-decimals]")?.dataset.decimals ?? 2);
  const toMoney = (minorUnits) => ({
    amount: (Number(minorUnits ?? 0) / 10 ** decimals).toFixed(decimals),
    currencyCode,
  });
  return {
    id: toGlobalId("Cart", cart.token ?? cart.id ?? ""),
    totalQuantity: cart.item_count ?? cart.items.reduce((total, { quantity }) => total + quantity, 0),
    cost: { totalAmount: toMoney(cart.total_price) },
    lines: cart.items.map(({ key, quantity, final_line_price: price }) => ({
      id: toGlobalId("CartLine", key),
      quantity,
      cost: { totalAmount: toMoney(price) },
    })),
    discountCodes: (cart.discount_codes ?? []).map(({ code, applicable }) => ({
      code,
      applicable: applicable !== false,
    })),
  };
};

/** Returns the product filters in a URL, or undefined if there are none. */
const parseProductFilters = (address = location.href) => {
  const { searchParams } = new URL(address, location.href);
  const filters = [];
  const price = {};
  for (const [name, value] of searchParams) {
    const [, owner, field, subfield, metafieldKey] =
      /^filter\.([pv])\.(\w+)(?:\.([^.]+))?(?:\.([^.]+))?$/.exec(name) ?? [];
    if (owner === undefined || value === "") continue;
    if (field === "price") price[subfield === "gte" ? "min" : "max"] = Number(value);
    else if (field === "availability") filters.push({ available: value === "1" });
    else if (field === "vendor") filters.push({ productVendor: value });
    else if (field === "product_type") filters.push({ productType: value });
    else if (field === "tag") filters.push({ tag: value });
    else if (field === "option") filters.push({ variantOption: { name: subfield, value } });
    else if (field === "m")
      filters.push({
        [owner === "p" ? "productMetafield" : "variantMetafield"]: { namespace: subfield, key: metafieldKey, value },
      });
  }
  if (Object.keys(price).length > 0) filters.push({ price });
  return filters.length > 0 ? filters : undefined;
};

const sortKeys = {
  manual: "MANUAL",
  "best-selling": "BEST_SELLING",
  relevance: "RELEVANCE",
  title: "TITLE",
  price: "PRICE",
  created: "CREATED",
};

/** Returns the sort key for the parameter `sort_by` of a URL, such as PRICE for "price-ascending". */
const sortKeyOf =
  (defaultKey) =>
  (address = location.href) => {
    const order = new URL(address, location.href).searchParams.get("sort_by") ?? "";
    return sortKeys[order.replace(/-(?:ascending|descending)$/, "")] ?? defaultKey;
  };

/** Defines the class of an event.  @param toGlobalIds replaces the ids in a payload with global ids, "gid://shopify/…" */
const defineEventClass = (eventName, staticMembers = {}, toGlobalIds = (payload) => payload) => {
  class StandardEvent extends ShopifyStandardEvent {
    constructor(payload) {
      super(eventName, toGlobalIds(payload ?? {}));
    }
  }
  return Object.assign(StandardEvent, { eventName, ...staticMembers });
};

const replaceId = (field, type) => (payload) =>
  payload[field] ? { ...payload, [field]: { ...payload[field], id: toGlobalId(type, payload[field].id) } } : payload;
const replaceLineIds = (payload) => ({
  ...payload,
  lines: (payload.lines ?? []).map((line) => ({
    ...line,
    ...("merchandiseId" in line ? { merchandiseId: toGlobalId("ProductVariant", line.merchandiseId) } : {}),
    ...("id" in line ? { id: toGlobalId("CartLine", line.id) } : {}),
  })),
});
const cartMembers = { createPromise, createCartFromAjaxResponse };

export const PageViewEvent = defineEventClass("shopify:page:view");
export const ProductViewEvent = defineEventClass("shopify:product:view", {}, replaceId("product", "Product"));
export const ProductSelectEvent = defineEventClass(
  "shopify:product:select",
  { createPromise },
  replaceId("product", "Product"),
);
export const CartViewEvent = defineEventClass("shopify:cart:view", { createCartFromAjaxResponse });
export const CartErrorEvent = defineEventClass("shopify:cart:error");
export const CartLinesUpdateEvent = defineEventClass("shopify:cart:lines-update", cartMembers, replaceLineIds);
export const CartNoteUpdateEvent = defineEventClass("shopify:cart:note-update", cartMembers);
export const CartDiscountUpdateEvent = defineEventClass("shopify:cart:discount-update", cartMembers);
export const CartAttributesUpdateEvent = defineEventClass("shopify:cart:attributes-update", cartMembers);
export const SearchUpdateEvent = defineEventClass("shopify:search:update", {
  createPromise,
  parseProductFilters,
  getSortKey: sortKeyOf("RELEVANCE"),
});
export const CollectionViewEvent = defineEventClass(
  "shopify:collection:view",
  {},
  replaceId("collection", "Collection"),
);
export const CollectionUpdateEvent = defineEventClass(
  "shopify:collection:update",
  { createPromise, parseProductFilters, getSortKey: sortKeyOf("COLLECTION_DEFAULT") },
  replaceId("collection", "Collection"),
);

/** DOM event names, such as "shopify:cart:view". */
export const StandardEvents = {
  pageView: PageViewEvent.eventName,
  productView: ProductViewEvent.eventName,
  productSelect: ProductSelectEvent.eventName,
  cartView: CartViewEvent.eventName,
  cartError: CartErrorEvent.eventName,
  cartLinesUpdate: CartLinesUpdateEvent.eventName,
  cartNoteUpdate: CartNoteUpdateEvent.eventName,
  cartDiscountUpdate: CartDiscountUpdateEvent.eventName,
  cartAttributesUpdate: CartAttributesUpdateEvent.eventName,
  searchUpdate: SearchUpdateEvent.eventName,
  collectionView: CollectionViewEvent.eventName,
  collectionUpdate: CollectionUpdateEvent.eventName,
};

/**
 * Creates a base class of custom elements that dispatch a view event. The attribute `view-event-payload`, printed by
 * the filter `standard_event_data`, contains the data of the event. The attribute `view-event-trigger` selects when the
 * event is dispatched: "connect", "intersect", "dialog", or "manual".
 */
export const createViewEventElement = (Base = HTMLElement, { defaultTrigger = "connect" } = {}) =>
  class extends Base {
    #observer;
    #isDispatched = false;

    connectedCallback() {
      super.connectedCallback?.();
      const trigger = this.getAttribute("view-event-trigger") ?? defaultTrigger;
      const dialog = this.closest("dialog");
      if (trigger === "manual") return;
      if (trigger === "dialog" || dialog !== null) this.#dispatchWhenDialogOpens(dialog);
      else if (trigger === "intersect") this.#dispatchWhenVisible();
      else this.#dispatchOnce();
    }

    disconnectedCallback() {
      super.disconnectedCallback?.();
      this.#observer?.disconnect();
      this.#observer = undefined;
    }

    dispatchViewEvent() {
      const event = createViewEvent(this.#readPayload());
      if (event !== undefined) this.dispatchEvent(event);
    }

    #dispatchOnce() {
      if (this.#isDispatched) return;
      this.#isDispatched = true;
      this.dispatchViewEvent();
    }

    #dispatchWhenVisible() {
      const observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        this.#dispatchOnce();
      });
      observer.observe(this);
      this.#observer = observer;
    }

    #dispatchWhenDialogOpens(dialog) {
      if (dialog === null) return;
      if (dialog.open) this.dispatchViewEvent();
      const observer = new MutationObserver(() => {
        if (dialog.open) this.dispatchViewEvent();
      });
      observer.observe(dialog, { attributeFilter: ["open"] });
      this.#observer = observer;
    }

    #readPayload() {
      const script = this.querySelector(":scope > script[type='application/json'][data-view-event-payload]");
      try {
        return JSON.parse(this.getAttribute("view-event-payload") ?? script?.textContent ?? "null");
      } catch {
        return null;
      }
    }
  };

const createViewEvent = (payload) => {
  if (payload === null || typeof payload !== "object") return undefined;
  if ("product" in payload) return new ProductViewEvent(payload);
  if ("collection" in payload) return new CollectionViewEvent(payload);
  return "cart" in payload ? new CartViewEvent(payload) : undefined;
};
