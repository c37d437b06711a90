import { filters as builtIn, isTruthy } from "liquidjs";
import { decodeEntities } from "../../catalog/html-entities.ts";
import { handleOf } from "../handle.ts";
import { isEmpty } from "../liquid/operators.ts";
import { escapeHtml, SafeHtml } from "../liquid/safe-html.ts";
import { type Filter, type FilterFamily, plain, splitArguments, textOf } from "./filter.ts";

const handleize: Filter = (value) => handleOf(textOf(value));

export const stringFilters: FilterFamily = {
  /** Text that is escaped already stays as it is. */
  escape(value) {
    return value instanceof SafeHtml ? value : safe(textOf(value));
  },
  /** Escapes what is not yet: `&amp;` and `&eacute;` stay as they are. */
  escape_once(value) {
    if (value instanceof SafeHtml) return value;
    const text = textOf(value);
    const html = text.replace(/[<>"']|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi, escapeHtml);
    return new SafeHtml(html, decodeEntities(text));
  },
  /** Takes tags out; what is left of an unclosed one can begin no tag. */
  strip_html(value) {
    if (value instanceof SafeHtml) return value;
    return textOf((builtIn.strip_html as Filter).call(this, textOf(value))).replace(/<(?=[a-z/!?])/gi, "");
  },
  handle: handleize,
  handleize,
  /** "coming-soon" -> "ComingSoon" */
  camelize,
  camelcase: camelize,
  /** What stands where there is nothing; `allow_false: true` keeps false. */
  default(value, ...args) {
    const { positional, named } = splitArguments(args);
    if (plain(value) === false && named.get("allow_false") === true) return false;
    return isEmpty(value) || !isTruthy(plain(value), this.context)
      ? positional.length === 0
        ? ""
        : positional[0]
      : value;
  },
  /** A single blank parts words, however many blanks or lines are between them. */
  split(value, separator) {
    const text = textOf(value);
    const at = textOf(separator);
    const parts = at === " " ? text.trim().split(/\s+/) : text.split(at);
    this.context.memoryLimit.use(parts.length);
    while (parts.length > 0 && parts.at(-1) === "") parts.pop();
    return parts;
  },
  url_encode: (value) => encoded(value).replaceAll("%20", "+"),
  url_param_escape: encoded,
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

function camelize(value: unknown): string {
  const words = textOf(value).split(/[\s_-]+/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

function encoded(value: unknown): string {
  const text = encodeURIComponent(textOf(value).toWellFormed());
  return text.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function safe(text: string): SafeHtml {
  return new SafeHtml(escapeHtml(text), text);
}
