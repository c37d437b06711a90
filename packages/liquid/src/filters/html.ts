import { type FilterFamily, taking } from "../compile/filter.ts";
import { textOf } from "../values/text.ts";

const family: FilterFamily = {
  escape: escapeValue,
  h: escapeValue,
  /** Does not escape twice: `&amp;` and `&#39;` stay unchanged. */
  escape_once: (value) => textOf(value).replace(/["'<>]|&(?!(?:[a-zA-Z]+|#\d+);)/g, entityOf),
  /** Removes tags, and scripts, styles and comments with their content. */
  strip_html(value) {
    let text = textOf(value);
    for (const [begin, end] of blocks) text = withoutBlocks(text, begin, end);
    return withoutBlocks(text, "<", ">");
  },
};

export const htmlFilters = taking(0, 0, family);

const blocks = [
  ["<script", "</script>"],
  ["<!--", "-->"],
  ["<style", "</style>"],
] as const;

/** Runs in linear time even if many blocks start and none ends. */
function withoutBlocks(text: string, begin: string, end: string): string {
  let result = "";
  let from = 0;
  for (;;) {
    const open = text.indexOf(begin, from);
    const close = open < 0 ? -1 : text.indexOf(end, open + begin.length);
    if (close < 0) return result + text.slice(from);
    result += text.slice(from, open);
    from = close + end.length;
  }
}

function escapeValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = textOf(value);
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, entityOf) : text;
}

function entityOf(sign: string): string {
  return entities.get(sign) ?? sign;
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);
