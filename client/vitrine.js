/**
 * Vitrine's client for theme authors: the cart, and suggestions while a shopper types. Without dependencies; every
 * store serves it at /vitrine/vitrine.js. Types and descriptions are in vitrine.d.ts, examples in
 * docs/reference/javascript-client.md. Comments are on separate lines and no string spans lines: the server removes
 * comments from this file.
 */

/** Waits before the second and the third try, in milliseconds. */
const retryDelays = [300, 1200];
const timeout = 10000;
/** HTTP statuses after which a retry may succeed. 0 means that no response was received. */
const retryableStatuses = new Set([0, 429, 502, 503, 504]);
const page = globalThis.document;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const readPageRoot = () => page?.querySelector("meta[name=vitrine-root]")?.content ?? "/";
const joinAddress = (root, path) => `${root.replace(/\/$/, "")}/${path}`;

export class VitrineError extends Error {
  constructor(status, answer = {}) {
    super(answer.fields?.[0]?.message ?? answer.message ?? answer.description ?? "Couldn’t connect. Try again.");
    this.name = "VitrineError";
    this.status = status;
    this.code = answer.error ?? (status === 0 ? "network" : "unexpected");
    this.answer = answer;
  }
}

export class Cart extends EventTarget {
  sections = [];
  pending = 0;
  #rootUrl;
  #fetch;
  #retryDelays;
  #token;
  #queue = Promise.resolve();
  #requestCount = 0;
  #latestVersion = { id: null, revision: 0, requestNumber: 0 };
  #isWatched = false;
  #isStale = false;
  #channel;
  #connectedViews = new Set();
  #lineCount;
  #updateTime = 0;
  #stream;
  #retryTimer;

  constructor(options = {}) {
    super();
    this.#rootUrl = options.root ?? readPageRoot();
    this.#fetch = options.fetch ?? ((...args) => fetch(...args));
    this.#retryDelays = options.pauses ?? retryDelays;
    if (page) this.#watchPage();
  }

  addEventListener(type, ...rest) {
    this.#isWatched ||= type === "cart:changed";
    super.addEventListener(type, ...rest);
  }

  get(options = {}) {
    const fields = this.#readSections(options);
    const query = new URLSearchParams(fields.sections && { ...fields, sections: fields.sections.join() });
    return this.#sendRequest(`cart.js?${query}`, { headers: { accept: "application/json" } });
  }

  async hints(products) {
    const query = new URLSearchParams({ products: products.join() });
    return (await this.#sendRequest(`search/suggest/cart.json?${query}`, { headers: { accept: "application/json" } }))
      .products;
  }

  async refresh() {
    this.#requestCount += 1;
    const requestNumber = this.#requestCount;
    const cart = await this.get();
    this.#applyCart(cart, "refresh", requestNumber);
    return cart;
  }

  add(items, options) {
    const newItems = items instanceof FormData ? toCartItem(items) : items;
    const list = [newItems].flat().map((item) => (typeof item === "object" ? item : { id: item }));
    return this.#write("cart/add.js", { items: list }, options);
  }

  change(line, quantity, options) {
    return this.#write("cart/change.js", { ...(typeof line === "object" ? line : { key: line }), quantity }, options);
  }

  update(changes, options) {
    return this.#write("cart/update.js", changes, options);
  }

  clear(options) {
    return this.#write("cart/clear.js", {}, options);
  }

  buyNow(product) {
    const { id, quantity = 1, properties, discountCode } = product instanceof FormData ? toCartItem(product) : product;
    const item = { product: { variantId: id, quantity, properties } };
    return this.#post("api/cart/buyNowCheckout", { item, discountCode });
  }

  live() {
    const view = {};
    this.#connectedViews.add(view);
    this.#updateStream();
    return () => {
      this.#connectedViews.delete(view);
      this.#updateStream();
    };
  }

  /**
   * Opens or closes the event stream of the cart. At most one stream is open, while the page is visible and shows a
   * cart with items. If the shop has no free stream, reads the cart now and whenever the page becomes visible, and
   * requests a stream again after a minute.
   */
  #updateStream() {
    const needsStream =
      this.#connectedViews.size && this.#lineCount !== 0 && page && !page.hidden && globalThis.EventSource;
    if (needsStream && this.#stream) return;
    clearTimeout(this.#retryTimer);
    this.#stream?.close();
    this.#stream = undefined;
    if (!needsStream) return;
    const stream = new EventSource(joinAddress(this.#rootUrl, "cart/events"));
    this.#stream = stream;
    let lastRevision;
    stream.addEventListener("cart", ({ data }) => {
      const { revision } = JSON.parse(data);
      // Ignore a change by this page's own write, because its response contains the cart. An event with the same
      // revision as the previous event reports changed prices or stock.
      this.#queue.then(() => {
        const isFirst = lastRevision === undefined && performance.now() - this.#updateTime < 2000;
        const isOwnWrite =
          revision === this.#latestVersion.revision && (isFirst || (lastRevision ?? revision) !== revision);
        lastRevision = revision;
        if (!isOwnWrite) this.#reload();
      });
    });
    stream.onerror = () => {
      if (stream.readyState !== 2 || this.#stream !== stream) return;
      this.#reload();
      this.#retryTimer = setTimeout(() => {
        if (this.#stream !== stream) return;
        this.#stream = undefined;
        this.#updateStream();
      }, 60000);
    };
  }

  /** Sends writes in sequence; a failed write does not prevent the next one. */
  #write(path, changes, options = {}) {
    this.pending += 1;
    const write = this.#queue.then(async () => {
      this.#requestCount += 1;
      const requestNumber = this.#requestCount;
      try {
        // Request a short response, which contains the cart lines only once, as `items`.
        const headers = { prefer: "return=minimal" };
        if (options.ifMatch !== undefined) headers["if-match"] = `"${options.ifMatch}"`;
        const cart = await this.#post(path, { ...changes, ...this.#readSections(options) }, headers);
        this.pending -= 1;
        this.#applyCart(cart, "write", requestNumber);
        this.#channel?.postMessage("changed");
        return cart;
      } catch (error) {
        this.pending -= 1;
        // If an error response contains an older cart than the page displays, drop the sections in that response.
        if (error.answer?.cart && !this.#acceptIfNewer(error.answer.cart, requestNumber)) delete error.answer.sections;
        this.#dispatch("cart:error", { error, pending: this.pending });
        throw error;
      } finally {
        if (this.#isStale) this.#reload();
      }
    });
    this.#queue = write.catch(() => undefined);
    return write;
  }

  /**
   * Sends a write, with retries. All attempts have the same idempotency key, so that the shop applies the write only
   * once.
   */
  #post(path, body, headers = {}) {
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
    return this.#sendRequest(path, {
      method: "POST",
      keepalive: true,
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "idempotency-key": key.join(""),
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }

  async #sendRequest(path, init) {
    let isRenewed = false;
    for (let attempt = 0; ; ) {
      if (init.method) init.headers["x-csrf-token"] = await this.#readToken(isRenewed);
      const { status, answer, after } = await this.#sendOnce(path, init);
      if (status >= 200 && status < 300) return answer;
      if (status === 403 && !isRenewed && /^csrf_/.test(answer.error)) {
        isRenewed = true;
      } else if (retryableStatuses.has(status) && attempt < this.#retryDelays.length) {
        await sleep(Math.min(after * 1000 || 0, 5000) || this.#retryDelays[attempt]);
        attempt += 1;
        // Browsers send at most 64 KiB of bodies with keepalive at a time, and report a larger one as a network error.
        init.keepalive = false;
      } else throw new VitrineError(status, answer);
    }
  }

  /** Sends a request without retries. An incomplete response is treated like no response. */
  async #sendOnce(path, init) {
    try {
      const signal = AbortSignal.timeout(timeout);
      const response = await this.#fetch(joinAddress(this.#rootUrl, path), {
        credentials: "same-origin",
        ...init,
        signal,
      });
      const { ok, status, headers } = response;
      const answer = await (ok ? response.json() : response.json().catch(() => ({})));
      return { status, answer: answer ?? {}, after: headers.get("retry-after") };
    } catch {
      return { status: 0 };
    }
  }

  /**
   * Returns the CSRF token. The cookie takes precedence over the token in the page, because the shop compares with the
   * cookie, and a page from the browser's cache may contain an older token.
   */
  async #readToken(isRenewed) {
    if (!isRenewed) {
      this.#token = /(?:^|; )csrf_token=([^;]+)/.exec(page?.cookie ?? "")?.[1] ?? this.#token;
      this.#token ??= page?.querySelector("meta[name=csrf-token]")?.content;
      if (this.#token) return this.#token;
    }
    try {
      const response = await this.#fetch(joinAddress(this.#rootUrl, "api/csrf"), { credentials: "same-origin" });
      this.#token = response.headers.get("x-csrf-token") ?? this.#token;
    } catch {
      // Ignore the error: if the shop is unreachable, the write that needs the token fails, too.
    }
    return this.#token ?? "";
  }

  #readSections({ sections = this.sections, sectionsUrl } = {}) {
    const ids = typeof sections === "function" ? sections() : sections;
    if (ids.length === 0) return {};
    const currentUrl = page ? location.pathname + location.search : "/";
    return { sections: ids.slice(0, 5), sections_url: sectionsUrl ?? currentUrl };
  }

  /**
   * Returns whether a response is not older than the last dispatched one. Two responses with the same cart are compared
   * by revision, responses with different carts by the order of their requests.
   */
  #acceptIfNewer({ id, revision }, requestNumber) {
    const latestVersion = this.#latestVersion;
    const isOlder =
      id === latestVersion.id ? revision < latestVersion.revision : requestNumber < latestVersion.requestNumber;
    if (!isOlder)
      this.#latestVersion = { id, revision, requestNumber: Math.max(requestNumber, latestVersion.requestNumber) };
    return !isOlder;
  }

  #applyCart(cart, source, requestNumber) {
    if (!this.#acceptIfNewer(cart, requestNumber)) return;
    const previousLines = this.#lineCount;
    this.#lineCount = cart.line_count;
    this.#updateTime = performance.now();
    if (!previousLines && this.#stream?.readyState === 2) this.#stream = undefined;
    this.#updateStream();
    this.#dispatch("cart:changed", { cart, sections: cart.sections ?? {}, source, pending: this.pending });
  }

  #dispatch(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /**
   * Reads the cart again when the page returns from the back-forward cache, or when another tab has changed the cart.
   * An open BroadcastChannel prevents the back-forward cache, so it is closed while the page is hidden.
   */
  #watchPage() {
    const open = () => {
      this.#channel = globalThis.BroadcastChannel && new BroadcastChannel("vitrine-cart");
      if (this.#channel) this.#channel.onmessage = () => this.#reload();
    };
    open();
    addEventListener("pagehide", () => {
      this.#stream?.close();
      this.#stream = undefined;
      this.#channel?.close();
      this.#channel = undefined;
    });
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) {
        open();
        this.#updateStream();
      }
      if (persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward") this.#reload();
    });
    page.addEventListener("visibilitychange", () => {
      if (this.#isStale) this.#reload();
      this.#updateStream();
    });
  }

  /** Reads the cart again. Waits while the page is hidden or a write is in flight. */
  #reload() {
    this.#isStale = page.hidden || this.pending > 0;
    if (this.#isWatched && !this.#isStale) this.refresh().catch(() => undefined);
  }
}

export function createSuggest({
  root,
  fetch: customFetch = (...args) => fetch(...args),
  debounce = 120,
  keep = 30,
  keepFor = 60000,
  ...defaults
} = {}) {
  const cached = new Map();
  let requestCount = 0;
  let controller;

  const find = (address) => {
    const entry = cached.get(address);
    cached.delete(address);
    if (entry === undefined || entry.until < performance.now()) return undefined;
    cached.set(address, entry);
    return entry.answer;
  };

  const suggest = async (text, options = {}) => {
    requestCount += 1;
    const requestNumber = requestCount;
    controller?.abort();
    const { address, isHtml } = request(text, options);
    if (address === undefined) return null;
    const cachedAnswer = find(address);
    if (cachedAnswer !== undefined) return cachedAnswer;
    await sleep(debounce);
    if (requestNumber !== requestCount) return undefined;
    controller = new AbortController();
    let status = 0;
    let answer;
    try {
      const response = await customFetch(address, { signal: controller.signal });
      status = response.status;
      if (response.ok) answer = isHtml ? await response.text() : (await response.json()).resources.results;
    } catch {
      status = 0;
    }
    if (requestNumber !== requestCount) return undefined;
    if (answer === undefined || status === 0) throw new VitrineError(status);
    cached.set(address, { answer, until: performance.now() + keepFor });
    if (cached.size > keep) cached.delete(cached.keys().next().value);
    return answer;
  };

  const request = (text, options) => {
    const q = text.trim().replace(/\s+/g, " ");
    if (q === "") return {};
    const { section, types, limit, limitScope, unavailable, fields } = { ...defaults, ...options };
    const query = new URLSearchParams({ q });
    const parameters = {
      section_id: section,
      "resources[type]": types?.join(),
      "resources[limit]": limit,
      "resources[limit_scope]": limitScope,
      "resources[options][unavailable_products]": unavailable,
      "resources[options][fields]": fields?.join(),
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
    const path = section === undefined ? "search/suggest.json" : "search/suggest";
    return { address: `${joinAddress(root ?? readPageRoot(), path)}?${query}`, isHtml: section !== undefined };
  };

  return Object.assign(suggest, {
    cached: (text, options) => find(request(text, options).address),
    cancel: () => {
      requestCount += 1;
      controller?.abort();
    },
  });
}

/** Converts the fields of a product form to a cart item. */
function toCartItem(form) {
  const item = {};
  for (const [name, value] of form) {
    const property = /^properties\[(.+)\]$/.exec(name)?.[1];
    if (property !== undefined && typeof value === "string")
      item.properties = { ...item.properties, [property]: value };
    // Fields that a cart does not store, such as attributes, are sent too, so that the shop rejects or reports them.
    if (/^(id|quantity|selling_plan|parent_id|parent_line_key|attributes\[.+)$/.test(name)) item[name] = value;
  }
  return item;
}

export const cart = new Cart();
export const suggest = createSuggest();

if (page?.modelContext ?? globalThis.navigator?.modelContext)
  import("./webmcp.js").then(
    ({ registerTools }) => registerTools(joinAddress(readPageRoot(), ""), cart),
    () => undefined,
  );
