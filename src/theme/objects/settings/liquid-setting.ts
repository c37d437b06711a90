import type { Template } from "liquidjs";
import type { CompiledTheme } from "../../files/compiled-theme.ts";
import { LimitError, maxText } from "../../liquid/budget.ts";
import { SafeHtml } from "../../liquid/safe-html.ts";
import { renderTemplates, sectionMeter } from "../../render/render-file.ts";
import { globalsOf, renderState } from "../../render-state.ts";
import type { View } from "../../view.ts";

/** A setting whose value is Liquid that the merchant wrote: what it makes, with the page's variables.
 *  @throws Error where it is broken, or takes too long */
export function liquidValue(view: View, source: string): SafeHtml | undefined {
  const state = globalsOf(view)?.[renderState];
  if (state === undefined) return undefined;
  if (state.depth > maxDepth) throw new LimitError("a setting's Liquid reads the setting itself");
  state.depth += step;
  try {
    const html = renderTemplates(state, parsed(view.theme, source), sectionMeter(state), maxText);
    return new SafeHtml(html, html);
  } finally {
    state.depth -= step;
  }
}

/** A setting's Liquid may read another such setting, and that another one: each counts as so many snippets. */
const step = 10;
const maxDepth = 40;

function parsed(theme: CompiledTheme, source: string): Template[] {
  const known = templates.get(theme) ?? new Map<string, Template[]>();
  templates.set(theme, known);
  const before = known.get(source);
  if (before !== undefined) return before;
  const made = theme.liquid.parse(source, "a setting");
  known.set(source, made);
  return made;
}

const templates = new WeakMap<CompiledTheme, Map<string, Template[]>>();
