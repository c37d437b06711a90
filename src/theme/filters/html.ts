import { TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { attribute, escapeHtml, SafeHtml } from "../safe-html.ts";
import { type FilterFamily, splitArguments, textOf } from "./filter.ts";
import { safeAddress } from "./image.ts";

export const htmlFilters: FilterFamily = {
  /** `{{ 'Tea' | link_to: url, class: 'x' }}`; a text after the address is the title. */
  link_to(value, ...args) {
    const { positional, named } = splitArguments(args);
    const text = value instanceof SafeHtml ? value : new SafeHtml(escapeHtml(textOf(value)), textOf(value));
    const title = positional[1] === undefined ? undefined : textOf(positional[1]);
    const others = [...named].filter(([name]) => /^[\w-]+$/.test(name));
    const attributes = others.map(([name, one]) => attribute(name, textOf(one))).join("");
    const href = attribute("href", linkAddress(textOf(positional[0])));
    return new SafeHtml(`<a${href}${attribute("title", title)}${attributes}>${text.html}</a>`, text.text);
  },
  /** Marks the searched words; the text is escaped. */
  highlight(value, terms) {
    const text = textOf(value);
    const words = textOf(terms)
      .slice(0, 256)
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, 20)
      .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    if (words.length === 0) return new SafeHtml(escapeHtml(text), text);
    const parts = text.split(new RegExp(`(${words.join("|")})`, "giu"));
    const html = parts.map((part, index) => (index % 2 === 1 ? marked(part) : escapeHtml(part))).join("");
    return new SafeHtml(html, text);
  },
  /** `{{ paginate | default_pagination }}`: links to the pages of a list. */
  default_pagination(value, ...args) {
    if (!(value instanceof TemplateObject) || value.object_type !== "paginate") return "";
    const { named } = splitArguments(args);
    const previous = named.get("previous") ?? stateOf(this.context).view.translate("pagination.previous")?.text;
    const next = named.get("next") ?? stateOf(this.context).view.translate("pagination.next")?.text;
    const html = [
      step(value.liquidMethodMissing("previous"), "prev", previous ?? "\u00ab"),
      ...(value.liquidMethodMissing("parts") as readonly Part[]).map(pagePart),
      step(value.liquidMethodMissing("next"), "next", next ?? "\u00bb"),
    ]
      .filter((link) => link !== "")
      .join(" ");
    return new SafeHtml(html, "");
  },
};

interface Part {
  readonly title: string;
  readonly url?: string;
  readonly is_link: boolean;
}

function pagePart(part: Part): string {
  if (part.is_link) return `<span class="page"><a${attribute("href", part.url)}>${escapeHtml(part.title)}</a></span>`;
  return part.title === "&hellip;"
    ? '<span class="deco">\u2026</span>'
    : `<span class="page current" aria-current="page">${escapeHtml(part.title)}</span>`;
}

function step(part: unknown, name: string, text: unknown): string {
  if (part === undefined) return "";
  const { url } = part as Part;
  return `<span class="${name}"><a${attribute("href", url)} rel="${name}">${escapeHtml(textOf(text))}</a></span>`;
}

function marked(text: string): string {
  return `<strong class="highlight">${escapeHtml(text)}</strong>`;
}

/** A link never runs a script, whatever its address says. */
function linkAddress(address: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(/[\u0000-\u0020]/g, ""))?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto", "tel"].includes(scheme) ? safeAddress(address) : "#";
}
