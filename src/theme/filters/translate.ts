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
  const { named } = splitArguments(args);
  const state = stateOf(this);
  const text = state.view.translate(key, named.size === 0 ? named : withoutScripts(state, named));
  if (text !== undefined) return text;
  const missing = named.get("default") ?? `translation missing: ${key}`;
  return missing instanceof SafeHtml ? missing : safeText(textOf(missing));
};

/** Returns the inserted values. Values that contain text from the page's URL are escaped. */
function withoutScripts(state: RenderState, values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  state.urlText ??= marksInAddress(state.view);
  const { urlText: typed } = state;
  return typed === "" ? values : new Map([...values].map(([name, one]) => [name, withoutScript(one, typed)]));
}

/** Returns the path and query of the page's URL if they contain `<` or quotes, else "". */
function marksInAddress({ path, query }: View): string {
  const typed = [decodePathPart(path, path), ...query.keys(), ...query.values()].join("\n").toLowerCase();
  return /[<"']/.test(typed) ? typed : "";
}

/** Maximum characters of strings that are compared with the URL. */
const maxCompared = 20_000;

/** Escapes a string that contains a tag or quote from the URL, even if filters changed the text after it. */
function withoutScript(value: unknown, typed: string): unknown {
  if (value instanceof SafeHtml) return value;
  const text = textOf(value);
  const isTyped =
    text.length > maxCompared || (text.toLowerCase().match(/[<"'].{0,2}/gs) ?? []).some((mark) => typed.includes(mark));
  return isTyped ? safeText(text) : value;
}

export const translateFilters: FilterFamily = { t: translate, translate };
