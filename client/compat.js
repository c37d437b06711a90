/**
 * Compatibility for themes written for another platform: adds the CSRF token to their cart writes, contact forms, and
 * comments, and provides the members of `window.Shopify` that themes read. A classic script that runs before the
 * scripts of the theme. The attributes of its script element contain the shop's data.
 */
(() => {
  const {
    root = "/",
    locale = "",
    country = "",
    currency = "",
    moneyFormat = "{{amount}}",
    decimals = "2",
    shop = "",
    theme = "",
  } = document.currentScript.dataset;
  const header = "x-csrf-token";
  const writes = /^(?:\/[a-z]{2,3}(?:-[a-z0-9]{2,8})*)?\/(?:cart|checkout|api\/cart|contact|blogs)(?:[./]|$)/i;

  const isWrite = (method, address) => {
    try {
      const { origin, pathname } = new URL(address, document.baseURI);
      return /^post$/i.test(method) && origin === location.origin && writes.test(pathname);
    } catch {
      return false;
    }
  };
  /** Returns the CSRF token from the cookie that every page of the shop sets. */
  const token = () => /(?:^|; )csrf_token=([^;]+)/.exec(document.cookie)?.[1] ?? "";

  const nativeFetch = window.fetch;
  window.fetch = async (input, init) => {
    const isRequest = input instanceof Request;
    if (!isWrite(init?.method ?? (isRequest ? input.method : "GET"), isRequest ? input.url : input))
      return nativeFetch(input, init);
    // The body of a request can be read only once, so the request is cloned for a retry.
    const request = new Request(input, init);
    const retry = request.clone();
    if (!request.headers.has(header)) request.headers.set(header, token());
    const answer = await nativeFetch(request);
    if (answer.status !== 403) return answer;
    if (!/"csrf_/.test(await answer.clone().text())) return answer;
    retry.headers.set(header, (await nativeFetch("/api/csrf")).headers.get(header) ?? "");
    return nativeFetch(retry);
  };

  const { open, send, setRequestHeader } = XMLHttpRequest.prototype;
  const tokenless = new WeakSet();
  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    tokenless.delete(this);
    if (isWrite(method, address)) tokenless.add(this);
    return open.call(this, method, address, ...(rest.length === 0 ? [true] : rest));
  };
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    if (String(name).toLowerCase() === header) tokenless.delete(this);
    return setRequestHeader.call(this, name, value);
  };
  XMLHttpRequest.prototype.send = function (body) {
    if (tokenless.delete(this)) setRequestHeader.call(this, header, token() || fetchToken());
    return send.call(this, body);
  };
  /** Requests a CSRF token, in case the browser no longer has the cookie. Synchronous, because `send` cannot wait. */
  const fetchToken = () => {
    const request = new XMLHttpRequest();
    open.call(request, "GET", "/api/csrf", false);
    send.call(request);
    return request.getResponseHeader(header) ?? "";
  };

  addEventListener("formdata", ({ target, formData }) => {
    if (isWrite(target.getAttribute("method") ?? "get", target.getAttribute("action") ?? ""))
      formData.set("csrf_token", token());
  });

  const createInput = (name, value) => Object.assign(document.createElement("input"), { type: "hidden", name, value });

  /** Submits links that change the cart, such as "remove", as POST forms with the CSRF token. */
  const submitLink = (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || !isWrite("post", link.href)) return;
    if (!/\/cart\/(?:add|change|update|clear)\b/.test(link.pathname)) return;
    event.preventDefault();
    const form = document.createElement("form");
    form.method = "post";
    form.action = link.pathname;
    for (const [name, value] of new URLSearchParams(link.search)) form.append(createInput(name, value));
    document.body.append(form);
    form.submit();
  };

  // Themes style only the colors of the express checkout button. With :where, any rule of a theme takes precedence.
  const styles = new CSSStyleSheet();
  styles.replaceSync(":where(.shopify-payment-button__button) { width: 100%; border: 0; cursor: pointer }");
  document.adoptedStyleSheets.push(styles);

  /**
   * Starts an express checkout of the product in a form. Runs before the theme's own handlers, which would only add the
   * product to the cart.
   */
  addEventListener(
    "click",
    async (event) => {
      // Added with each click, so that it runs after the theme's listeners, also those of the window.
      addEventListener("click", submitLink, { once: true });
      const button = event.target.closest?.("[data-vitrine-buy-now]");
      const form = button?.form;
      if (!form) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (button.disabled || !form.reportValidity()) return;
      const fields = new FormData(form);
      const properties = {};
      for (const [name, value] of fields) {
        const [, key] = /^properties\[(.+)\]$/.exec(name) ?? [];
        if (key && value && typeof value === "string") properties[key] = value;
      }
      const product = { variantId: fields.get("id"), quantity: fields.get("quantity") || 1, properties };
      button.disabled = true;
      try {
        const answer = await window.fetch(`${root}api/cart/buyNowCheckout`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ item: { product } }),
        });
        const { checkout_url: url } = answer.ok ? await answer.json() : {};
        if (url) return location.assign(url);
      } catch {
        // Ignore the error: submitting the form, which follows, may succeed.
      } finally {
        button.disabled = false;
      }
      // The request failed, so submit the form. If this fails too, the shop responds with an error page.
      const next = createInput("return_to", button.value);
      form.append(next);
      HTMLFormElement.prototype.submit.call(form);
      next.remove();
    },
    true,
  );

  /**
   * Hides the express checkout button of a form while the selected variant is sold out. The CSS of a theme may override
   * the attribute `hidden`, so `display` is set too.
   */
  const hideSoldOut = () => {
    for (const wrapper of document.querySelectorAll("[data-vitrine-sold-out]")) {
      const fields = [...(wrapper.closest("form")?.elements ?? [])];
      const field = fields.find(
        ({ name, type, value, checked }) => name === "id" && value && (type !== "radio" || checked),
      );
      if (!field) continue;
      wrapper.hidden = wrapper.dataset.vitrineSoldOut.split(" ").includes(field.value);
      wrapper.style.setProperty("display", wrapper.hidden ? "none" : "", "important");
    }
  };
  addEventListener("DOMContentLoaded", hideSoldOut);
  addEventListener("change", hideSoldOut);
  // Theme scripts may change the selected variant without dispatching a `change` event.
  new MutationObserver(hideSoldOut).observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributeFilter: ["value"],
  });

  /** Thousands and decimal separators, by the end of a money format's name, such as "amount_with_comma_separator". */
  const separators = {
    comma_separator: [".", ","],
    apostrophe_separator: ["\u2019", "."],
    period_and_space_separator: [" ", "."],
    space_separator: [" ", ","],
  };

  /**
   * Formats an amount of money with a format such as "${{amount_no_decimals}}".
   * @param cents amount in minor units; a string with a decimal point is an amount in major units
   */
  const formatMoney = (cents, format) => {
    const isDecimal = typeof cents === "string" && cents.includes(".");
    const amount = Number(cents ?? 0) / (isDecimal ? 1 : 10 ** decimals);
    const price = Number.isFinite(amount) ? amount : 0;
    return (format || moneyFormat).replace(/\{\{\s*(\w+)\s*\}\}/, (_, kind) => {
      const style = Object.keys(separators).find((name) => kind.endsWith(name));
      const [group, mark] = separators[style] ?? [",", "."];
      const [whole, part] = price.toFixed(kind.includes("no_decimals") ? 0 : decimals).split(".");
      return whole.replace(/\B(?=(\d{3})+$)/g, group) + (part ? mark + part : "");
    });
  };

  const existing = window.Shopify ?? {};
  window.Shopify = {
    shop,
    locale,
    country,
    designMode: false,
    currency: { active: currency, rate: "1.0" },
    theme: { name: theme, role: "main" },
    moneyFormat,
    formatMoney,
    loadFeatures: () => undefined,
    // Nothing subscribes to these events, but themes publish them before they add to the cart.
    analytics: { publish: () => undefined },
    // Themes call this after they insert a button. Here, the buttons need no preparation.
    PaymentButton: { init: () => undefined },
    ...existing,
    routes: { root, ...existing.routes },
  };
})();
