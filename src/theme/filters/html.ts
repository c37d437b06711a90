import { escapeHtml } from "../../runtime/escape-html.ts";
import { createEscapedText, renderAttribute, SafeHtml } from "../liquid/safe-html.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { type FilterFamily, splitArguments, textOf } from "./filter.ts";

export const htmlFilters: FilterFamily = {
  /** Escapes a text and highlights the search terms in it. */
  highlight(value, terms) {
    const text = textOf(value);
    const words = textOf(terms)
      .slice(0, 256)
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, 20)
      .map(RegExp.escape);
    if (words.length === 0) return createEscapedText(text);
    const parts = text.split(new RegExp(`(${words.join("|")})`, "giu"));
    const html = parts
      .map((part, index) =>
        index % 2 === 1 ? `<strong class="highlight">${escapeHtml(part)}</strong>` : escapeHtml(part),
      )
      .join("");
    return new SafeHtml(html, text);
  },
  /** Returns a `select` element for the currency: `{{ form | currency_selector }}`. A shop has only one currency. */
  currency_selector(_form, ...args) {
    const { namedArgs } = splitArguments(args);
    const currencyCode = escapeHtml(stateOf(this).view.config.currency);
    const attributes = ["id", "class"].map((name) =>
      renderAttribute(name, namedArgs.has(name) ? textOf(namedArgs.get(name)) : undefined),
    );
    const html = `<select name="currency"${attributes.join("")}><option value="${currencyCode}" selected>${currencyCode}</option></select>`;
    return new SafeHtml(html, currencyCode);
  },
  /** Returns links to the other pages of a list: `{{ paginate | default_pagination: anchor: 'list' }}`. */
  default_pagination(value, ...args) {
    if (!(value instanceof TemplateObject) || value.object_type !== "paginate") return "";
    const { namedArgs } = splitArguments(args);
    const previousText = namedArgs.get("previous") ?? stateOf(this).view.translate("pagination.previous")?.text;
    const nextText = namedArgs.get("next") ?? stateOf(this).view.translate("pagination.next")?.text;
    const anchor = namedArgs.has("anchor") ? `#${encodeURIComponent(textOf(namedArgs.get("anchor")))}` : "";
    const html = [
      formatPagerLink(value.field("previous"), "prev", previousText ?? "\u00ab", anchor),
      ...(value.field("parts") as readonly PaginationPart[]).map((part) => formatPagePart(part, anchor)),
      formatPagerLink(value.field("next"), "next", nextText ?? "\u00bb", anchor),
    ]
      .filter((link) => link !== "")
      .join(" ");
    return new SafeHtml(html, "");
  },
};

interface PaginationPart {
  /** Page number, or a mark of omitted pages. */
  readonly title: number | "&hellip;";
  readonly url: string;
  readonly is_link: boolean;
}

function formatPagePart(part: PaginationPart, anchor: string): string {
  if (part.is_link)
    return `<span class="page"><a${renderAttribute("href", part.url + anchor)}>${part.title}</a></span>`;
  return part.title === "&hellip;"
    ? '<span class="deco">\u2026</span>'
    : `<span class="page current" aria-current="page">${part.title}</span>`;
}

function formatPagerLink(part: unknown, name: string, text: unknown, anchor: string): string {
  if (part === undefined) return "";
  const { url } = part as PaginationPart;
  return `<span class="${name}"><a${renderAttribute("href", url + anchor)} rel="${name}">${escapeHtml(textOf(text))}</a></span>`;
}
