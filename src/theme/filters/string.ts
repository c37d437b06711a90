import { filters as builtIn } from "liquidjs";
import { escapeHtml, SafeHtml } from "../safe-html.ts";
import { type Filter, type FilterFamily, textOf } from "./filter.ts";

const handleize: Filter = (value) => handleOf(textOf(value));

export const stringFilters: FilterFamily = {
  /** Text that is escaped already stays as it is. */
  escape(value) {
    return value instanceof SafeHtml ? value : safe(textOf(value));
  },
  escape_once(value) {
    if (value instanceof SafeHtml) return value;
    const text = textOf(value).replace(/&(amp|lt|gt|quot|#39|#34);/g, (_, name: string) => characters[name] as string);
    return safe(text);
  },
  /** Takes tags out; what is left of an unclosed one can begin no tag. */
  strip_html(value) {
    if (value instanceof SafeHtml) return value;
    return textOf((builtIn.strip_html as Filter).call(this, textOf(value))).replace(/<(?=[a-z/!?])/gi, "");
  },
  handle: handleize,
  handleize,
  url_encode: (value) => encodeURIComponent(textOf(value).toWellFormed()).replaceAll("%20", "+"),
  url_param_escape: (value) => encodeURIComponent(textOf(value).toWellFormed()),
  url_escape: (value) => encodeURI(textOf(value).toWellFormed()),
  url_decode(value) {
    const text = textOf(value).replaceAll("+", " ");
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  },
  pluralize: (count, one, many) => (Number(textOf(count)) === 1 ? textOf(one) : textOf(many)),
};

/** "Winter Coats!" -> "winter-coats" */
export function handleOf(text: string): string {
  return text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

function safe(text: string): SafeHtml {
  return new SafeHtml(escapeHtml(text), text);
}

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#34": '"',
  "#39": "'",
};
