/** The cart of this page, and messages to the shopper. */
import { cart } from "/vitrine/vitrine.js";

/** The sections of this page that show the cart. The server renders at most five per request. */
const known = ["cart-drawer", "cart-icon-bubble", "cart-notification", "main-cart-items", "main-cart-footer"];
cart.sections = () => known.filter((id) => document.getElementById(`store-section-${id}`) !== null);

// A response that a later write will replace is not shown. A section that failed (null) is requested once more.
cart.addEventListener("cart:changed", ({ detail: { sections, pending, source } }) => {
  if (pending > 0) return;
  showSections(sections);
  if (source === "write" && Object.values(sections).includes(null)) refreshCart();
});

cart.addEventListener("cart:error", ({ detail: { error, pending } }) => {
  if (pending > 0) return;
  if (error.answer.sections) showSections(error.answer.sections);
  else refreshCart();
});

/** Renders the server's current cart. Without a connection, the page does not change. */
export function refreshCart() {
  return cart.refresh().catch(() => undefined);
}

const inFlight = new Set();

/** Waits for a write. @returns {Promise<{ ok: boolean, answer: object }>} never rejects */
export async function settled(write) {
  const result = write.then(
    (answer) => ({ ok: true, answer }),
    (error) => ({ ok: false, answer: error.status === 0 ? {} : error.answer }),
  );
  inFlight.add(result);
  await result;
  inFlight.delete(result);
  return result;
}

/** Waits for the writes in flight. @returns {Promise<boolean>} whether the shop applied all of them as requested */
export async function writesSucceed() {
  const results = await Promise.all(inFlight);
  return results.every((result) => messagesOf(result).length === 0);
}

/** Whether a pointer is down. An element that is replaced between press and release gets no click event. */
let isPressed = false;
/** Sections that are replaced when the pointer is released. */
let waiting = {};

addEventListener("pointerdown", () => (isPressed = true), true);
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => setTimeout(release), true);

function release() {
  isPressed = false;
  const sections = waiting;
  waiting = {};
  showSections(sections);
}

/** Replaces the content of the sections' containers as soon as no pointer is down. A section that failed (null) does not change.
 *  Focus, text that was typed but not sent (`data-pending`), and open parts are preserved. */
export function showSections(sections) {
  if (isPressed) {
    Object.assign(waiting, sections);
    return;
  }
  for (const [id, html] of Object.entries(sections ?? {})) {
    const container = document.getElementById(`store-section-${id}`);
    if (container === null || html === null) continue;
    const made = new DOMParser().parseFromString(html, "text/html").getElementById(`store-section-${id}`);
    if (made === null) continue;
    const focused = container.contains(document.activeElement) ? document.activeElement : null;
    const name = focused?.closest("[data-focus]")?.dataset.focus;
    const scroll = container.querySelector("[data-scroll]")?.scrollTop ?? 0;
    for (const open of container.querySelectorAll("details[open] > summary[data-focus]")) {
      byFocusName(made, open.dataset.focus)?.parentElement.setAttribute("open", "");
    }
    for (const field of container.querySelectorAll("[data-pending]")) {
      const twin = byFocusName(made, field.dataset.focus);
      if (twin === null) continue;
      twin.value = field.value;
      twin.dataset.pending = "";
    }
    container.replaceChildren(...made.childNodes);
    const scrolled = container.querySelector("[data-scroll]");
    if (scrolled !== null) scrolled.scrollTop = scroll;
    if (focused !== null && document.activeElement !== focused) {
      const twin = byFocusName(container, name);
      const isShown = twin !== null && twin.closest("[hidden]") === null;
      (isShown ? twin : container.querySelector("[data-focus-first]"))?.focus({ preventScroll: true });
    }
  }
}

/** Messages of a response: its issues, or its error. @returns {{ text: string, key?: string, substitute?: object }[]} */
export function messagesOf({ ok, answer }) {
  const issues = (answer.issues ?? []).map((issue) => ({
    text: issue.message,
    key: issue.key,
    substitute: issue.substitute,
  }));
  if (ok || issues.length > 0) return issues;
  const text = answer.fields?.[0]?.message ?? answer.message ?? document.body.dataset.networkError;
  return [{ text }];
}

/** Shows messages in an element, each with a link to the product in place of a sold-out one. */
export function showMessages(place, messages) {
  place.replaceChildren();
  for (const { text, substitute } of messages) {
    place.append(place.hasChildNodes() ? " " : "", text);
    if (!substitute) continue;
    const link = document.createElement("a");
    const title = document.createElement("bdi");
    title.textContent = substitute.title;
    link.href = substitute.url;
    link.append(title);
    place.append(` ${document.body.dataset.substitute} `, link);
  }
}

/** Shows the messages of a response next to their lines, or above the cart. */
export function tell(result) {
  const messages = messagesOf(result);
  const general = [];
  for (const message of messages) {
    const { key } = message;
    const places = key === undefined ? [] : document.querySelectorAll(`[data-line-message="${CSS.escape(key)}"]`);
    for (const place of places) showMessages(place, [message]);
    if (places.length === 0) general.push(message);
  }
  for (const place of document.querySelectorAll("[data-cart-message]")) showMessages(place, general);
  if (messages.length > general.length) announce(messages.map(({ text }) => text).join(" "));
}

/** Announces a text to screen readers. */
export function announce(text) {
  const region = document.getElementById("live-region");
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Marks a button as busy. It keeps the focus. */
export async function whileBusy(button, work) {
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function byFocusName(root, name) {
  return name === undefined ? null : root.querySelector(`[data-focus="${CSS.escape(name)}"]`);
}
