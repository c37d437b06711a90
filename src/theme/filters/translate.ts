import { SafeHtml, safeText } from "../liquid/safe-html.ts";
import { type RenderState, stateOf } from "../render-state.ts";
import { decodePart, type View } from "../view.ts";
import { type Filter, type FilterFamily, splitArguments, textOf } from "./filter.ts";

/**
 * `{{ 'cart.items' | t: count: 3 }}`: the theme's translation in the render's language, escaped, else the `default:`.
 * Keys that end in `_html` keep the tags of their text and of inserted values (`price: '<b>1</b>'`), except for text
 * that occurs in the page's URL: a link could inject a script there.
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

/** Inserted values, escaped if they contain text from the page's URL. */
function withoutScripts(state: RenderState, values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  state.typed ??= marksInAddress(state.view);
  const { typed } = state;
  return typed === "" ? values : new Map([...values].map(([name, one]) => [name, withoutScript(one, typed)]));
}

/** Returns the non-letters of the page's URL if they could contain a tag, else "". */
function marksInAddress({ path, query }: View): string {
  const typed = [decodePart(path, path), ...query.keys(), ...query.values()].join("\n").toLowerCase();
  return /[<"']/.test(typed) ? typed : "";
}

/** Longer strings are not compared with the URL. */
const maxCompared = 20_000;

/** Escapes a string in which a tag or quote starts as in the URL, even if filters changed the rest. */
function withoutScript(value: unknown, typed: string): unknown {
  if (value instanceof SafeHtml) return value;
  const text = textOf(value);
  const isTyped =
    text.length > maxCompared || (text.toLowerCase().match(/[<"'].{0,2}/gs) ?? []).some((mark) => typed.includes(mark));
  return isTyped ? safeText(text) : value;
}

export const translateFilters: FilterFamily = { t: translate, translate };
