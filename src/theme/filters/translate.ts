import { SafeHtml, safeText } from "../liquid/safe-html.ts";
import { type RenderState, stateOf } from "../render-state.ts";
import { decodePathPart, type View } from "../view.ts";
import { type Filter, type FilterFamily, splitArguments, textOf } from "./filter.ts";

/**
 * Translates a key into the render's language: `{{ 'cart.items' | t: count: 3 }}`. The result is escaped. A missing key
 * returns the argument `default:`. Keys that end in `_html` keep the tags of their text and of inserted values (`price: '<b>1</b>'`),
 * except for text that occurs in the page's URL, since a link could inject a script.
 */
const translate: Filter = function (value, ...args) {
  const key = textOf(value);
  const { namedArgs } = splitArguments(args);
  const state = stateOf(this);
  const text = state.view.translate(key, namedArgs.size === 0 ? namedArgs : escapeUrlTexts(state, namedArgs));
  if (text !== undefined) return text;
  const fallbackText = namedArgs.get("default") ?? `translation missing: ${key}`;
  return fallbackText instanceof SafeHtml ? fallbackText : safeText(textOf(fallbackText));
};

/** Returns the inserted values. Values that contain text from the page's URL are escaped. */
function escapeUrlTexts(state: RenderState, values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  state.urlText ??= urlWithMarkup(state.view);
  const { urlText } = state;
  return urlText === "" ? values : new Map([...values].map(([name, value]) => [name, escapeUrlText(value, urlText)]));
}

/** Returns the path and query of the page's URL if the URL contains `<` or quotes, else "". */
function urlWithMarkup({ path, query }: View): string {
  const urlText = [decodePathPart(path, path), ...query.keys(), ...query.values()].join("\n").toLowerCase();
  return /[<"']/.test(urlText) ? urlText : "";
}

/** Maximum characters of strings that are compared with the URL. Longer strings are always escaped. */
const maxComparedLength = 20_000;

/** Escapes a string that contains a tag or quote from the URL, even if filters changed the text after it. */
function escapeUrlText(value: unknown, urlText: string): unknown {
  if (value instanceof SafeHtml) return value;
  const text = textOf(value);
  const isFromUrl =
    text.length > maxComparedLength ||
    (text.toLowerCase().match(/[<"'].{0,2}/gs) ?? []).some((mark) => urlText.includes(mark));
  return isFromUrl ? safeText(text) : value;
}

export const translateFilters: FilterFamily = { t: translate, translate };
