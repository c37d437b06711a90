/** Writes to the shop, the sections that come back, and what is said to the shopper. */

const body = document.body.dataset;

export const routes = {
  cart: body.cartUrl,
  add: body.cartAddUrl,
  change: body.cartChangeUrl,
  update: body.cartUpdateUrl,
  buyNow: body.buyNowUrl,
};

/** The sections of this page that show the cart; the server renders at most five at a time. */
export function cartSections() {
  const known = ["cart-drawer", "cart-icon-bubble", "cart-notification", "main-cart-items", "main-cart-footer"];
  return known.filter((id) => document.getElementById(`store-section-${id}`) !== null);
}

/** Posts JSON with the page's CSRF token; where the token has gone stale, gets a new one and tries once more.
 *  @returns {Promise<{ ok: boolean, answer: object }>} never rejects: a broken line gives an answer with a message */
export async function write(url, payload, isRetry = false) {
  try {
    const response = await fetch(url, {
      method: "POST",
      credentials: "same-origin",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "x-csrf-token": isRetry ? await freshToken() : token(),
      },
      body: JSON.stringify(payload),
    });
    const answer = await response.json();
    if (response.status === 403 && !isRetry && String(answer.error).startsWith("csrf_")) {
      return write(url, payload, true);
    }
    return { ok: response.ok, answer };
  } catch {
    return { ok: false, answer: { message: body.networkError } };
  }
}

let newest = 0;
let queue = Promise.resolve();

/** Changes the cart, one write after the other, and shows its sections; an answer that a later write will
 *  replace is not shown. @returns {Promise<{ ok: boolean, answer: object }>} */
export function editCart(url, payload) {
  newest += 1;
  const mine = newest;
  const edit = queue.then(async () => {
    const here = location.pathname + location.search;
    const result = await write(url, { ...payload, sections: cartSections(), sections_url: here });
    if (mine === newest) {
      const { sections } = result.answer;
      if (sections) showSections(sections);
      // A section that failed (null) is asked for once more: the cart is another one by now.
      if (!sections || Object.values(sections).includes(null)) await refreshCart();
    }
    return result;
  });
  queue = edit.catch(() => undefined);
  return edit;
}

/** Shows the cart as the server has it now. */
export async function refreshCart() {
  const mine = newest;
  const query = new URLSearchParams({
    sections: cartSections().join(","),
    sections_url: location.pathname + location.search,
  });
  try {
    const response = await fetch(`${routes.cart}.js?${query}`, { headers: { accept: "application/json" } });
    if (!response.ok) return;
    const answer = await response.json();
    if (mine === newest) showSections(answer.sections);
  } catch {
    // The page stays as it is; the next write says what is wrong.
  }
}

/** Replaces what stands in the sections' containers; a section that failed (null) stays as it is.
 *  Focus, what is typed but not sent (`data-pending`) and which parts are open survive. */
export function showSections(sections) {
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

/** What an answer has to say: its issues, or why it was refused. @returns {{ text: string, key?: string }[]} */
export function messagesOf({ ok, answer }) {
  const issues = (answer.issues ?? []).map((issue) => ({ text: issue.message, key: issue.key }));
  if (ok || issues.length > 0) return issues;
  const text = answer.fields?.[0]?.message ?? answer.message ?? answer.description ?? body.networkError;
  return [{ text }];
}

/** Shows what an answer has to say beside its line, or else on top of the cart. */
export function tell(result) {
  const messages = messagesOf(result);
  const general = [];
  for (const { text, key } of messages) {
    const places = key === undefined ? [] : document.querySelectorAll(`[data-line-message="${CSS.escape(key)}"]`);
    for (const place of places) place.textContent = text;
    if (places.length === 0) general.push(text);
  }
  for (const place of document.querySelectorAll("[data-cart-message]")) place.textContent = general.join(" ");
  if (messages.length > general.length) announce(messages.map(({ text }) => text).join(" "));
}

/** Says something to screen readers. */
export function announce(text) {
  const region = document.getElementById("live-region");
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Marks a button as working without taking the focus from it. */
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

function token() {
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith("csrf_token="));
  if (cookie !== undefined) return decodeURIComponent(cookie.slice("csrf_token=".length));
  return document.querySelector('meta[name="csrf-token"]')?.content ?? "";
}

async function freshToken() {
  const response = await fetch("/api/csrf", { credentials: "same-origin" });
  return response.headers.get("x-csrf-token") ?? token();
}
