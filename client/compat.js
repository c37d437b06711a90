/**
 * For themes that were written for another storefront: gives their writes of the cart the token they lack, and the few things of
 * `window.Shopify` that themes read. A classic script that stands before theirs; what it knows of the shop is in its own attributes.
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
  const writes =
    /^(?:\/[a-z]{2,3}(?:-[a-z0-9]{2,8})*)?\/(?:cart(?:\/(?:add|change|update|clear)(?:\.js)?)?|api\/cart\/.+)\/?$/i;

  const isWrite = (method, address) => {
    try {
      const { origin, pathname } = new URL(address, document.baseURI);
      return /^post$/i.test(method) && origin === location.origin && writes.test(pathname);
    } catch {
      return false;
    }
  };
  /** Every page of the shop sets the cookie. */
  const token = () => /(?:^|; )csrf_token=([^;]+)/.exec(document.cookie)?.[1] ?? "";

  const ask = window.fetch;
  window.fetch = async (input, init) => {
    const isRequest = input instanceof Request;
    if (!isWrite(init?.method ?? (isRequest ? input.method : "GET"), isRequest ? input.url : input))
      return ask(input, init);
    // A request's body can be read once.
    const request = new Request(input, init);
    const again = request.clone();
    if (!request.headers.has(header)) request.headers.set(header, token());
    const answer = await ask(request);
    if (answer.status !== 403) return answer;
    const { error } = await answer
      .clone()
      .json()
      .catch(() => ({}));
    if (!/^csrf_/.test(error)) return answer;
    again.headers.set(header, (await ask("/api/csrf")).headers.get(header) ?? "");
    return ask(again);
  };

  const { open, send, setRequestHeader } = XMLHttpRequest.prototype;
  const lacking = new WeakSet();
  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    lacking.delete(this);
    if (isWrite(method, address)) lacking.add(this);
    return open.call(this, method, address, ...(rest.length === 0 ? [true] : rest));
  };
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    if (String(name).toLowerCase() === header) lacking.delete(this);
    return setRequestHeader.call(this, name, value);
  };
  XMLHttpRequest.prototype.send = function (body) {
    if (lacking.delete(this)) setRequestHeader.call(this, header, token());
    return send.call(this, body);
  };

  addEventListener("formdata", ({ target, formData }) => {
    if (isWrite(target.getAttribute("method") ?? "get", target.getAttribute("action") ?? ""))
      formData.set("csrf_token", token());
  });

  /** Links that change the cart ("remove") do nothing when followed: they are posted, as forms are. */
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || !isWrite("post", link.href) || !/\/cart\/./.test(link.pathname)) return;
    event.preventDefault();
    const form = document.createElement("form");
    form.method = "post";
    form.action = link.pathname;
    for (const [name, value] of new URLSearchParams(link.search)) {
      const input = document.createElement("input");
      form.append(Object.assign(input, { type: "hidden", name, value }));
    }
    document.body.append(form);
    form.submit();
  });

  /** An amount of minor units in a format of the kind "${{amount_no_decimals}}". */
  const formatMoney = (cents, format = moneyFormat) =>
    format.replace(/\{\{\s*(\w+)\s*\}\}/, (_, kind) => {
      const [group, point] = kind.includes("comma") ? ".," : kind.includes("space") ? " ," : ",.";
      const digits = kind.includes("no_decimals") ? 0 : decimals;
      const [whole, part] = (cents / 10 ** decimals).toFixed(digits).split(".");
      return whole.replace(/\B(?=(\d{3})+$)/g, group) + (part ? point + part : "");
    });

  const given = window.Shopify ?? {};
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
    ...given,
    routes: { root, ...given.routes },
  };
})();
