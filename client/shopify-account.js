/**
 * The element `<shopify-account>` of themes made for another platform: a link to the login of the shop, or a menu for
 * the signed-in customer. A module. The attributes of its script element contain texts and the name of the customer.
 */

const {
  root = "/",
  login = "",
  account = "",
  logout = "",
  customer,
} = document.querySelector("script[data-logout]")?.dataset ?? {};

const styles = new CSSStyleSheet();
styles.replaceSync(
  [
    ":host { display: inline-flex }",
    "[part=avatar] { all: unset; display: inline-flex; align-items: center; justify-content: center; cursor: pointer; min-width: 44px; min-height: 44px }",
    "[part=avatar]:focus-visible { outline: 2px solid; outline-offset: 2px }",
    ".initial { display: grid; place-items: center; width: 28px; height: 28px; border-radius: 50%; font: 600 14px var(--shopify-account-font-body, inherit); background: var(--shopify-account-color-accent, #222); color: var(--shopify-account-color-accent-text, #fff) }",
    "[part=dialog] { position: fixed; inset: var(--shopify-account-dialog-position-top, 64px) auto auto auto; inset-inline-end: 16px; margin: 0; padding: 8px; border: 1px solid; border-radius: var(--shopify-account-radius-base, 8px); font-family: var(--shopify-account-font-body, inherit); background: var(--shopify-account-color-background, #fff); color: var(--shopify-account-color-text, #222) }",
    "[part=dialog] a { display: block; padding: 12px 16px; color: inherit; text-decoration: none }",
    "[part=dialog] a:hover, [part=dialog] a:focus-visible { text-decoration: underline }",
  ].join("\n"),
);

const icon =
  '<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><circle cx="12" cy="8" r="4"/><path d="M4 21c0-4 3.6-7 8-7s8 3 8 7"/></svg>';

const createElement = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

class ShopifyAccount extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const shadow = this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [styles];
    shadow.append(...(customer === undefined ? [this.#createLoginLink()] : this.#createMenu()));
  }

  #createLoginLink() {
    const avatar = createElement("slot", { name: "signed-out-avatar", innerHTML: icon });
    const link = createElement("a", { part: "avatar", ariaLabel: login, tabIndex: 0 }, avatar);
    const target = this.getAttribute("sign-in-url") ?? `${root}account/login`;
    const page = location.pathname + location.search;
    link.href = `${target}${target.includes("?") ? "&" : "?"}${new URLSearchParams({ return_url: page })}`;
    return link;
  }

  #createMenu() {
    const [letter = ""] = customer;
    const initial = createElement("span", { className: "initial", textContent: letter.toUpperCase() });
    const button = createElement(
      "button",
      { type: "button", part: "avatar", ariaLabel: account, title: customer },
      initial,
    );
    const menu = createElement(
      "div",
      { popover: "auto", part: "dialog" },
      createElement("a", { href: `${root}account`, textContent: account }),
      createElement("a", { href: `${root}account/logout`, textContent: logout }),
    );
    button.popoverTargetElement = menu;
    return [button, menu];
  }
}

if (!customElements.get("shopify-account")) customElements.define("shopify-account", ShopifyAccount);
