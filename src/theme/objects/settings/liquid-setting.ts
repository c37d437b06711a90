import type { Template } from "@vitrine/liquid";
import { LiquidError } from "@vitrine/liquid";
import { getOrCreate, perObject } from "../../../runtime/cache.ts";
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
  if (state.depth > maxDepth) throw new LiquidError("limit", "a setting's Liquid reads the setting itself");
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
  return getOrCreate(templatesOf(theme), source, () => theme.liquid.parse(source, "a setting"));
}

const templatesOf = perObject((_: CompiledTheme) => new Map<string, Template>());
