import { Context, LiquidError, type Template, toValueSync } from "liquidjs";
import { Problem } from "../../problem.ts";
import { BoundedEmitter, createBudget, createMeter, type Meter } from "../liquid/budget.ts";
import { type RenderState, renderState } from "../render-state.ts";
import type { View } from "../view.ts";

/** Renders one Liquid file with the render's global variables. @param max characters it may make */
export function renderFile(state: RenderState, file: string, meter: Meter, max: number): string {
  const templates = state.theme.template(file);
  try {
    return renderTemplates(state, templates, meter, max);
  } catch (error) {
    throw inFile(file, error);
  }
}

/** Renders what was parsed from a file or from a setting; limits as of `renderFile`. */
export function renderTemplates(state: RenderState, templates: Template[], meter: Meter, max: number): string {
  const { liquid } = state.theme;
  const budget = createBudget(meter);
  state.globals[renderState] = state;
  const context = new Context(
    Object.create(null),
    liquid.options,
    { sync: true, globals: state.globals },
    { liquid, ...budget },
  );
  const emitter = new BoundedEmitter(max);
  toValueSync(liquid.renderer.renderTemplates(templates, context, emitter) as Generator<unknown, unknown, unknown>);
  return emitter.buffer;
}

/** An error that says in which file of the theme it came up; those of LiquidJS say it themselves, with the line. */
function inFile(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || LiquidError.is(error) || error.message.includes(file)) return error;
  return error instanceof Problem ? error : new Error(`${file}: ${error.message}`, { cause: error });
}

/** For a section, or a setting with Liquid in it: counts for all sections of the page too. */
export function sectionMeter({ view, sections }: RenderState): Meter {
  const { sectionSteps, sectionTime } = view.config.rendering;
  return createMeter("section", sectionSteps, sectionTime, sections);
}

/** For the template of a page, or its layout. */
export function pageMeter({ config }: View): Meter {
  return createMeter("page", config.rendering.pageSteps, config.rendering.pageTime);
}

/** For all sections of a page. */
export function sectionsMeter({ config }: View): Meter {
  return createMeter("page's sections", config.rendering.pageSteps, config.rendering.pageTime);
}
