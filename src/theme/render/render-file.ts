import type { Template } from "@vitrine/liquid";
import { Context, LiquidError, Meter, type RenderOptions } from "@vitrine/liquid";
import { Problem } from "../../problem.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { addFileName, addLocation } from "../liquid/with-location.ts";
import type { Globals, RenderState } from "../render-state.ts";
import type { View } from "../view.ts";

/** Renders a Liquid file with the global variables.  @param max maximum length of the output in characters */
export function renderFile(state: RenderState, file: string, meter: Meter, max: number): string {
  try {
    return renderTemplate(state, state.theme.template(file), meter, max);
  } catch (error) {
    // Liquid errors already contain the file and the line.
    if (error instanceof Problem || error instanceof LiquidError) throw addLocation(error);
    throw addFileName(file, error);
  }
}

/** Renders a parsed file or setting, with the same limits as `renderFile`. */
export function renderTemplate(state: RenderState, template: Template, meter: Meter, max: number): string {
  state.globals.state = state;
  const context = new Context(template, createRenderOptions(state, meter, max));
  template.renderInto(context);
  return context.output;
}

/** Returns render options. A tag or output that fails is omitted, and its error is reported once. */
function createRenderOptions(state: RenderState, meter: Meter, max: number): RenderOptions<RenderState> {
  const { theme, globals, reportedNodes, report, pages } = state;
  return {
    globals,
    isGlobal: globals.isGlobalName,
    meter,
    limits: { output: max },
    state,
    partial: theme.getSnippet,
    onError: (error, node) => {
      if (!reportedNodes.has(node)) report(addLocation(error));
      reportedNodes.add(node);
      return "";
    },
    onWarning: (warning) => report(addLocation(warning)),
    loopItems: (items) => {
      const page = pages.size === 0 ? undefined : pages.get(items);
      return page === undefined ? items : items.slice(page.offset, page.offset + page.limit);
    },
  };
}

/**
 * Creates the state of a render.  @param errorHandlers functions that receive errors; by default, errors are ignored
 */
export function initState(
  theme: CompiledTheme,
  view: View,
  globals: Globals,
  errorHandlers: Pick<RenderState, "report" | "reportedNodes" | "showError"> = {
    report: () => {},
    reportedNodes: new WeakSet(),
  },
): RenderState {
  const { pageSteps, pageTime } = view.config.rendering;
  const counters = {
    sections: new Meter({ name: "page's sections", steps: pageSteps, milliseconds: pageTime }),
    renderedSections: new Map<string, string>(),
    depth: 0,
    pages: new Map(),
  };
  return { theme, view, globals, ...errorHandlers, ...counters };
}

/**
 * Creates the limit for the work of one section, or of one setting that contains Liquid. The same work also counts
 * toward the common limit of all sections on the page.
 */
export function createSectionWorkMeter({ view, sections }: RenderState): Meter {
  const { sectionSteps, sectionTime } = view.config.rendering;
  return new Meter({ name: "section", steps: sectionSteps, milliseconds: sectionTime, parent: sections });
}

/** Creates the limit for the work of a page's template or layout. */
export function createPageWorkMeter({ config }: View): Meter {
  return new Meter({ name: "page", steps: config.rendering.pageSteps, milliseconds: config.rendering.pageTime });
}
