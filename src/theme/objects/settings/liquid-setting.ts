import type { Template } from "@vitrine/liquid";
import { LimitError } from "@vitrine/liquid";
import type { CompiledTheme } from "../../files/compiled-theme.ts";
import { maxText } from "../../liquid/limits.ts";
import { SafeHtml } from "../../liquid/safe-html.ts";
import { renderTemplate, sectionMeter } from "../../render/render-file.ts";
import { globalsOf } from "../../render-state.ts";
import type { View } from "../../view.ts";

/**
 * Renders a setting that contains the merchant's Liquid, with the page's variables.
 * @throws Error if it is broken or exceeds a limit
 */
export function liquidValue(view: View, source: string): SafeHtml | undefined {
  const state = globalsOf(view)?.state;
  if (state === undefined) return undefined;
  if (state.depth > maxDepth) throw new LimitError("a setting's Liquid reads the setting itself");
  state.depth += 1;
  try {
    const html = renderTemplate(state, parsed(view.theme, source), sectionMeter(state), maxText);
    return new SafeHtml(html, html);
  } finally {
    state.depth -= 1;
  }
}

/** Depth of Liquid settings that read other Liquid settings. */
const maxDepth = 4;

function parsed(theme: CompiledTheme, source: string): Template {
  const known = templates.get(theme) ?? new Map<string, Template>();
  templates.set(theme, known);
  const before = known.get(source);
  if (before !== undefined) return before;
  const made = theme.liquid.parse(source, "a setting");
  known.set(source, made);
  return made;
}

const templates = new WeakMap<CompiledTheme, Map<string, Template>>();
