import { getMessages } from "../../messages/messages.ts";
import { getMinorUnit } from "../../pricing/money.ts";
import { memoizePerObject } from "../../runtime/cache.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";
import { getAssetVersion } from "../files/asset-files.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { sectionScriptsName, sectionStylesName } from "../files/generated-assets.ts";
import { serializeForScript } from "../filters/json.ts";
import { renderAttribute, SafeHtml } from "../liquid/safe-html.ts";
import { getMoneyFormat } from "../objects/shop/shop.ts";
import { addPathPrefix, getCanonicalUrl, getHost, type View } from "../view.ts";

/** Returns the elements that the server adds to a page's head. They contain no inline script or style. */
export function renderHeadContent(view: View, theme: CompiledTheme): SafeHtml {
  const { csrfToken } = view.request;
  const tags: string[] = [];
  if (csrfToken !== undefined) tags.push(`<meta name="csrf-token" content="${escapeHtml(csrfToken)}">`);
  if (view.config.compat.script) tags.push(renderCompatScript(view, theme));
  tags.push(`<meta name="vitrine-root" content="${escapeHtml(addPathPrefix(view, "/"))}">`);
  if (!printsCanonicalUrl(theme)) tags.push(`<link rel="canonical" href="${escapeHtml(getCanonicalUrl(view))}">`);
  const styles = getAssetVersion(theme, sectionStylesName);
  if (styles !== undefined) tags.push(`<link rel="stylesheet" href="/assets/${sectionStylesName}?v=${styles}">`);
  const scriptsVersion = getAssetVersion(theme, sectionScriptsName);
  if (scriptsVersion !== undefined)
    tags.push(`<script src="/assets/${sectionScriptsName}?v=${scriptsVersion}" defer></script>`);
  const html = tags.join("\n");
  return new SafeHtml(html, html);
}

/**
 * Returns the script for themes made for Shopify. It adds the CSRF token to their requests and defines the globals that
 * they expect, so it must run first. Some themes defer all scripts by replacing `<script ` or `src=`. The line break
 * and the space in `src =` prevent that. The tab separates the words in themes that remove line breaks.
 */
function renderCompatScript(view: View, theme: CompiledTheme): string {
  const { config, request } = view;
  const attributes = renderScriptData(view, {
    locale: request.locale,
    currency: config.currency,
    country: config.shipping.countries[0] ?? "",
    "money-format": getMoneyFormat(view),
    decimals: String(getMinorUnit(config.currency)),
    shop: getHost(view),
    theme: theme.name,
  });
  const features = serializeForScript({ predictiveSearch: true, locale: request.locale });
  const accountScript = includesAccountElement(theme) ? renderAccountScript(view) : "";
  return `<script id="shopify-features" type="application/json">${features}</script>
<script
	src ="/vitrine/compat.js"${attributes}></script>
<script
	src ="/vitrine/standard-actions.js" type="module"></script>${accountScript}`;
}

/** Returns the script that defines the element `<shopify-account>`, with its texts and the name of the customer. */
function renderAccountScript(view: View): string {
  const { locale, customer } = view.request;
  const message = getMessages(locale);
  const attributes = renderScriptData(view, {
    login: message("account.login"),
    account: message("account.account"),
    logout: message("account.logout"),
    ...(customer === undefined ? {} : { customer: customer.firstName ?? customer.email }),
  });
  return `
<script
	src ="/vitrine/shopify-account.js" type="module"${attributes}></script>`;
}

/** Renders data attributes for a script of the shop, with the root of its URLs. */
function renderScriptData(view: View, data: Readonly<Record<string, string>>): string {
  const root = addPathPrefix(view, "/");
  return Object.entries({ root: root.endsWith("/") ? root : `${root}/`, ...data })
    .map(([name, value]) => renderAttribute(`data-${name}`, value))
    .join("");
}

/** Returns whether a file of the theme contains the element `<shopify-account>`. */
const includesAccountElement = memoizePerObject((theme: CompiledTheme): boolean =>
  theme.folder.texts.values().some((text) => text.includes("<shopify-account")),
);

/** Returns whether the theme itself adds the canonical URL to its pages. */
const printsCanonicalUrl = memoizePerObject((theme: CompiledTheme): boolean => {
  const mayPrintHead = (file: string): boolean => file.startsWith("layout/") || file.startsWith("snippets/");
  return [...theme.folder.texts].some(([file, text]) => mayPrintHead(file) && /rel=["']canonical["']/.test(text));
});
