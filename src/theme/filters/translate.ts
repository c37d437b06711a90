import { decodeUriPart } from "../../runtime/decode-uri.ts";
import { createEscapedText, SafeHtml } from "../liquid/safe-html.ts";
import { type RenderState, stateOf } from "../render-state.ts";
import { isFromShopify, type View } from "../view.ts";
import { type Filter, type FilterFamily, splitArguments, textOf } from "./filter.ts";

/**
 * Translates a key into the page's language: `{{ 'cart.items' | t: count: 3 }}`. The result is escaped. For a missing
 * key, returns the argument `default:`. If the key ends in `_html`, HTML tags in the text and in inserted values
 * (`price: '<b>1</b>'`) are preserved. Text from the page's URL is always escaped, because a link could inject a
 * script.
 */
const translate: Filter = function (value, ...args) {
  const key = textOf(value);
  const { namedArgs } = splitArguments(args);
  const state = stateOf(this);
  const values = namedArgs.size === 0 ? namedArgs : escapeUrlTexts(state, namedArgs);
  // Scripts of themes made for Shopify replace placeholders such as "{{ count }}".
  const text = state.view.translate(key, values, isFromShopify(state.view));
  if (text !== undefined) return text;
  const missingText = key === "" || isShopifyKey(key) ? "" : `translation missing: ${key}`;
  const fallbackText = namedArgs.get("default") ?? missingText;
  return fallbackText instanceof SafeHtml ? fallbackText : createEscapedText(textOf(fallbackText));
};

/**
 * Returns whether a key is for a text that Shopify provides to all themes, such as the texts of its spam protection.
 * The features that use these texts do not exist here.
 */
export function isShopifyKey(key: string): boolean {
  return key.startsWith("shopify.");
}

/** Escapes the inserted values that contain text from the page's URL. Other values are returned unchanged. */
function escapeUrlTexts(state: RenderState, values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  state.urlText ??= readUnsafeUrlText(state.view);
  const { urlText } = state;
  return urlText === "" ? values : new Map([...values].map(([name, value]) => [name, escapeUrlText(value, urlText)]));
}

/** Returns the decoded path and query of the page's URL. Returns "" if they contain neither `<` nor quotes. */
function readUnsafeUrlText({ path, query }: View): string {
  const urlText = [decodeUriPart(path, path), ...query.keys(), ...query.values()].join("\n").toLowerCase();
  return /[<"']/.test(urlText) ? urlText : "";
}

/** Maximum length of a string that is compared with the URL, in characters. Longer strings are always escaped. */
const maxComparedLength = 20_000;

/**
 * Escapes a string if a `<` or quote in it may come from the URL: the URL contains it with the same two characters
 * after it. The rest may differ, because filters can change the string.
 */
function escapeUrlText(value: unknown, urlText: string): unknown {
  if (value instanceof SafeHtml) return value;
  const text = textOf(value);
  const isFromUrl =
    text.length > maxComparedLength ||
    (text.toLowerCase().match(/[<"'].{0,2}/gs) ?? []).some((fragment) => urlText.includes(fragment));
  return isFromUrl ? createEscapedText(text) : value;
}

export const translationFilters: FilterFamily = { t: translate, translate };
