import { stateOf } from "../render-state.ts";
import { escapeHtml, SafeHtml } from "../safe-html.ts";
import { type Filter, type FilterFamily, splitArguments, textOf } from "./filter.ts";

/** `{{ 'cart.items' | t: count: 3 }}`: the theme's text in the render's language, escaped. */
const translate: Filter = function (value, ...args) {
  const key = textOf(value);
  const { named } = splitArguments(args);
  const text = stateOf(this.context).view.translate(key, named);
  if (text !== undefined) return text;
  const missing = `translation missing: ${key}`;
  return new SafeHtml(escapeHtml(missing), missing);
};

export const translateFilters: FilterFamily = { t: translate, translate };
