/**
 * The standard storefront actions of https://shopify.dev/docs/api/storefront-events-and-actions/actions, for apps and
 * themes that were made for another platform: `Shopify.actions.getCart`, `updateCart`, and `openCart`. A module that
 * runs before `DOMContentLoaded`. It depends on compat.js, which adds the CSRF token to cart writes.
 */

window.Shopify ??= {};
const root = window.Shopify.routes?.root ?? "/";

const loadEvents = () => import("/vitrine/standard-events.js");
/** Removes the prefix of a global id: "gid://shopify/CartLine/abc?cart=1" is "abc". */
const toLocalId = (id) =>
  String(id)
    .replace(/^gid:\/\/shopify\/\w+\//, "")
    .replace(/\?.*$/, "");
const toGlobalId = (type, id) => `gid://shopify/${type}/${toLocalId(id)}`;
const pairsToObject = (pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value]));

/** Requests a cart endpoint. Returns its response, even if the cart rejects the request. Throws on other failures. */
const request = async (path, body, signal) => {
  const postOptions = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await window.fetch(root + path, { ...(body === undefined ? {} : postOptions), signal });
  const answer = await response.json().catch(() => ({}));
  if (response.ok || (response.status >= 400 && response.status < 500 && answer.error)) return answer;
  throw new Error(answer.message ?? `The cart responded with status ${response.status}.`);
};

const readCart = async (signal) => {
  const [{ CartViewEvent }, cart] = await Promise.all([loadEvents(), request("cart.js", undefined, signal)]);
  return CartViewEvent.createCartFromAjaxResponse(cart);
};

/**
 * Converts the payload of `updateCart` to requests of cart endpoints, in the order in which they are sent.
 * @throws TypeError if the payload is malformed
 */
const createCartRequests = ({ lines = [], note, discountCodes, attributes }) => {
  const items = [];
  const updates = {};
  const changes = [];
  for (const { id, merchandiseId, quantity, attributes: pairs, sellingPlanId } of lines) {
    if (id === undefined && merchandiseId === undefined) throw new TypeError("A line needs an id or a merchandiseId.");
    const properties = pairs === undefined ? {} : { properties: pairsToObject(pairs) };
    const plan = sellingPlanId ? { selling_plan: toLocalId(sellingPlanId) } : {};
    if (id === undefined) items.push({ id: toLocalId(merchandiseId), quantity: quantity ?? 1, ...properties, ...plan });
    else if (pairs === undefined) updates[toLocalId(id)] = quantity;
    else changes.push(["cart/change.js", { id: toLocalId(id), quantity, ...properties }]);
  }
  const update = {
    ...(Object.keys(updates).length > 0 ? { updates } : {}),
    ...(note === undefined ? {} : { note: note ?? "" }),
    ...(discountCodes === undefined ? {} : { discount: discountCodes.join(",") }),
    ...(attributes === undefined ? {} : { attributes: pairsToObject(attributes) }),
  };
  const writes = changes;
  if (Object.keys(update).length > 0) writes.push(["cart/update.js", update]);
  if (items.length > 0) writes.push(["cart/add.js", { items }]);
  if (writes.length === 0) throw new TypeError("Name lines, a note, discountCodes, or attributes.");
  return writes;
};

/** Sends requests to the cart one after another. Stops if the cart rejects one. */
const write = async (writes, signal) => {
  // The responses may repeat an issue, such as a discount code without effect. Equal issues are reported once.
  const warningsByText = new Map();
  const userErrors = [];
  for (const [path, body] of writes) {
    const answer = await request(path, body, signal);
    for (const { code, message, key } of answer.issues ?? [])
      warningsByText.set(`${key} ${message}`, {
        code: code.toUpperCase(),
        message,
        target: key ? toGlobalId("CartLine", key) : "",
      });
    if (!answer.error) continue;
    const field = answer.fields?.[0]?.field.split(".") ?? null;
    userErrors.push({ code: answer.error.toUpperCase(), field, message: answer.message });
    break;
  }
  const warnings = [...warningsByText.values()];
  return {
    cart: await readCart(signal),
    ...(userErrors.length > 0 ? { userErrors } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
};

/** Creates the DOM events of an `updateCart` call. Each event has a promise that resolves with the call's result. */
const createEvents = (events, { lines = [], note, discountCodes, attributes }, context) => {
  const isAddedLine = ({ id }) => id === undefined;
  const groups = {
    add: lines.filter(isAddedLine).map((line) => ({ quantity: 1, ...line })),
    remove: lines.filter((line) => !isAddedLine(line) && line.quantity === 0),
    update: lines.filter((line) => !isAddedLine(line) && line.quantity !== 0),
  };
  const payloads = Object.entries(groups)
    .filter(([, group]) => group.length > 0)
    .map(([action, group]) => [events.CartLinesUpdateEvent, { action, context, lines: group }]);
  if (note !== undefined) payloads.push([events.CartNoteUpdateEvent, { context, note: note ?? "" }]);
  if (discountCodes !== undefined) payloads.push([events.CartDiscountUpdateEvent, { discountCodes }]);
  if (attributes !== undefined) payloads.push([events.CartAttributesUpdateEvent, { context, attributes }]);
  return payloads.map(([EventClass, payload]) => {
    const { promise, resolve, reject } = EventClass.createPromise();
    return { event: new EventClass({ ...payload, promise }), resolve, reject };
  });
};

/** Opens the cart drawer of the page.  @returns false if there is none */
const openDrawer = () => {
  for (const drawer of document.querySelectorAll("cart-drawer, cart-drawer-component, #cart-drawer, #CartDrawer")) {
    const open = [drawer.open, drawer.showDialog, drawer.showModal].find((member) => typeof member === "function");
    if (open === undefined) continue;
    open.call(drawer);
    return true;
  }
  return false;
};

/**
 * Shows the changed cart. Themes like Horizon update themselves when they receive the events. In themes like Dawn, the
 * elements that show the cart are replaced here. With any other theme, the page is reloaded.
 */
const refreshPage = async () => {
  if (document.querySelector("cart-items-component")) return;
  const drawer = document.querySelector("cart-drawer");
  const cartIconBubble = document.getElementById("cart-icon-bubble");
  const lists = [...document.querySelectorAll("cart-items")].filter(({ onCartUpdate }) => onCartUpdate);
  const names = [drawer && "cart-drawer", cartIconBubble && "cart-icon-bubble"].filter(Boolean);
  if (names.length + lists.length === 0) return location.reload();
  await Promise.all(lists.map((list) => list.onCartUpdate()));
  if (names.length === 0) return;
  const sections = await (await window.fetch(`${location.pathname}?sections=${names}`)).json();
  const isReplaced = names.every((name) =>
    replaceSection(name === "cart-drawer" ? drawer : cartIconBubble, sections[name]),
  );
  if (!isReplaced) location.reload();
};

/** Replaces the content of an element by that of a rendered section.  @returns false if their structure differs */
const replaceSection = (element, html) => {
  const section = new DOMParser().parseFromString(html ?? "", "text/html").querySelector(".shopify-section");
  const isCartDrawer = element.localName === "cart-drawer";
  const source = isCartDrawer ? section?.querySelector("cart-drawer .drawer__inner") : section;
  const target = isCartDrawer ? element.querySelector(".drawer__inner") : element;
  if (!source || !target) return false;
  target.innerHTML = source.innerHTML;
  if (isCartDrawer) element.classList.toggle("is-empty", source.closest("cart-drawer").classList.contains("is-empty"));
  return true;
};

/** Creates an action that a theme may replace.  @param run default behavior, with the configuration of the theme */
const createAction = (run) => {
  const settings = {};
  return Object.assign((...args) => run(settings, ...args), {
    isDefault: () => settings.handler === undefined,
    configure(changes) {
      Object.assign(settings, changes);
      return true;
    },
  });
};

const updateCart = createAction(async ({ handler, eventTarget }, payload = {}, options = {}) => {
  const writes = createCartRequests(payload);
  const events = await loadEvents();
  const target = eventTarget?.({ action: "updateCart", payload }) ?? document;
  const started = createEvents(events, payload, options.context ?? "standard-action");
  for (const { event } of started) target.dispatchEvent(event);
  const runWrites = () => write(writes, options.signal);
  try {
    const result = await (handler === undefined ? runWrites() : handler(runWrites, payload, options));
    for (const { resolve } of started) resolve(result);
    if (handler === undefined && result.userErrors === undefined) await (options.refresh ?? refreshPage)();
    return result;
  } catch (error) {
    for (const { reject } of started) reject(error);
    target.dispatchEvent(new events.CartErrorEvent({ error: error.message, code: "SERVICE_UNAVAILABLE" }));
    throw error;
  }
});

const openCart = createAction(async ({ handler }) => {
  const open = async () => {
    if (!openDrawer()) location.assign(`${root}cart`);
  };
  await (handler === undefined ? open() : handler(open));
});

const getCart = Object.assign(
  async ({ signal } = {}) => {
    const cart = await readCart(signal);
    return { cart: cart.id === "" ? null : cart };
  },
  { isDefault: () => true },
);

window.Shopify.actions = { getCart, updateCart, openCart, ...window.Shopify.actions };

/** Changes the cart for an agent, and returns the changed cart. A reload of the page waits until the agent has it. */
const changeCart = async (line) => {
  let isStale = false;
  const refresh = () => {
    isStale = true;
  };
  const { userErrors } = await window.Shopify.actions.updateCart({ lines: [line] }, { refresh });
  if (userErrors) throw Object.assign(new Error(userErrors[0].message), { code: userErrors[0].code.toLowerCase() });
  const cart = await request("cart.js");
  if (isStale) setTimeout(refreshPage);
  return cart;
};

if (document.modelContext ?? navigator.modelContext)
  import("/vitrine/webmcp.js").then(
    ({ registerTools }) =>
      registerTools(root, {
        get: () => request("cart.js"),
        add: ({ id, quantity }) => changeCart({ merchandiseId: id, quantity }),
        change: (id, quantity) => changeCart({ id, quantity }),
      }),
    () => undefined,
  );
