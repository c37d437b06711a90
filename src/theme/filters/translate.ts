import { escapeHtml, SafeHtml } from "../liquid/safe-html.ts";
import { type RenderState, stateOf } from "../render-state.ts";
import type { View } from "../view.ts";
import { type Filter, type FilterFamily, splitArguments, textOf } from "./filter.ts";

/** `{{ 'cart.items' | t: count: 3 }}`: the theme's text in the render's language, escaped; where there is none, what `default:` says. Keys that end in `_html` keep the tags of their texts
 *  and of what is filled in (`price: '<b>1</b>'`), but for what stands in the page's address: anybody can put a script there. */
const translate: Filter = function (value, ...args) {
  const key = textOf(value);
  const { named } = splitArguments(args);
  const state = stateOf(this);
  const text = state.view.translate(key, named.size === 0 ? named : withoutScripts(state, named));
  if (text !== undefined) return text;
  const missing = named.get("default") ?? `translation missing: ${key}`;
  return missing instanceof SafeHtml ? missing : new SafeHtml(escapeHtml(textOf(missing)), textOf(missing));
};

/** What is filled into a text, without scripts that stand in the page's address. */
function withoutScripts(state: RenderState, values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  state.typed ??= marksInAddress(state.view);
  const { typed } = state;
  return typed === "" ? values : new Map([...values].map(([name, one]) => [name, withoutScript(one, typed)]));
}

/** What the address of the page holds besides letters, where some of it could be a tag; else empty. */
function marksInAddress({ path, query }: View): string {
  const typed = [decoded(path), ...query.keys(), ...query.values()].join("\n").toLowerCase();
  return /[<"']/.test(typed) ? typed : "";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Longer texts are not compared with the address. */
const maxCompared = 20_000;

/** Escapes a text in which a tag or a quote begins as one does in the address, also where filters changed it otherwise. */
function withoutScript(value: unknown, typed: string): unknown {
  if (value instanceof SafeHtml) return value;
  const text = textOf(value);
  const isTyped =
    text.length > maxCompared || (text.toLowerCase().match(/[<"'].{0,2}/gs) ?? []).some((mark) => typed.includes(mark));
  return isTyped ? new SafeHtml(escapeHtml(text), text) : value;
}

export const translateFilters: FilterFamily = { t: translate, translate };
