import { Context, toValueSync } from "liquidjs";
import { BoundedEmitter, createBudget, maxText, sectionTime } from "./budget.ts";
import type { CompiledTheme } from "./compiled-theme.ts";
import { type Placement, parsePlacement } from "./json-template.ts";
import { sectionObject } from "./objects/section.ts";
import type { PageContext } from "./page-context.ts";
import { assign, type RenderState, renderState } from "./render-state.ts";
import { escapeHtml } from "./safe-html.ts";

/** A section and where it stands. */
export interface FoundSection {
  readonly placement: Placement;
  /** 1 for the first of its template or group. */
  readonly position?: number;
}

/** Looks an id up in the page's JSON template, in the section groups, then among the files of `sections/`.
 *  @returns undefined where the theme has no such section */
export function findSection(id: string, theme: CompiledTheme, page: PageContext): FoundSection | undefined {
  for (const file of [`templates/${page.template}.json`, ...theme.groups]) {
    const sections = placedSections(theme, file);
    const index = sections.findIndex((section) => section.id === id);
    const placement = sections[index];
    if (placement !== undefined) return { placement, position: index + 1 };
  }
  return theme.has(`sections/${id}.liquid`) ? { placement: staticPlacement(theme, id) } : undefined;
}

/** One section with its wrapper. @throws Error where it is broken, takes too long or is too big @see spec 4.8 */
export function renderSection(state: RenderState, { placement, position }: FoundSection): string {
  const file = sectionFile(placement.type);
  const { view, theme } = state;
  const schema = theme.schema(file);
  const section = sectionObject({ view, placement, schema, ...(position === undefined ? {} : { position }) });
  const before = state.globals[assign]("section", section);
  state.section = placement.type;
  try {
    const left = state.end - performance.now();
    return wrap(state, placement.id, renderFile(state, file, Math.min(sectionTime, left), maxText));
  } finally {
    delete state.section;
    state.globals[assign]("section", before);
  }
}

/** A section of a page: one that fails is reported and shown empty. */
export function renderSectionOfPage(state: RenderState, found: FoundSection): string {
  const { depth } = state;
  try {
    return renderSection(state, found);
  } catch (error) {
    state.depth = depth;
    state.report(error);
    return wrap(state, found.placement.id, "");
  }
}

/** `{% section 'header' %}` @throws Error where it stands in a section */
export function renderStaticSection(state: RenderState, name: string): string {
  requireNoSection(state, name);
  if (!state.theme.has(sectionFile(name))) throw new Error(`${sectionFile(name)}: no such file in the theme`);
  return renderSectionOfPage(state, { placement: staticPlacement(state.theme, name) });
}

/** `{% sections 'header-group' %}` @throws Error where it stands in a section */
export function renderGroup(state: RenderState, name: string): string {
  requireNoSection(state, name);
  const group = state.theme.json(`sections/${name}.json`);
  if (group === undefined) throw new Error(`sections/${name}.json: no such file in the theme`);
  return renderPlacements(state, group.sections);
}

export function renderPlacements(state: RenderState, placements: readonly Placement[]): string {
  return placements
    .map((placement, index) => renderSectionOfPage(state, { placement, position: index + 1 }))
    .join("\n");
}

/** Renders one Liquid file with the render's global variables.
 *  @param milliseconds how long it may take  @param max characters it may make */
export function renderFile(state: RenderState, file: string, milliseconds: number, max: number): string {
  const { liquid } = state.theme;
  const templates = state.theme.template(file);
  const budget = createBudget(milliseconds);
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

export function sectionFile(type: string): string {
  return `sections/${type}.liquid`;
}

function requireNoSection(state: RenderState, name: string): void {
  if (state.section !== undefined)
    throw new Error(`section '${name}' stands inside the section '${state.section}'; render a snippet there`);
}

/** The wrapper is this div whatever a schema says. */
function wrap(state: RenderState, id: string, html: string): string {
  const { sectionClass } = state.view.config.compat;
  const className = sectionClass === undefined ? "" : ` class="${escapeHtml(sectionClass)}"`;
  return `<div id="store-section-${escapeHtml(id)}"${className}>${html}</div>`;
}

/** A section that no template places: the theme's settings for it, else what its schema begins with. */
function staticPlacement(theme: CompiledTheme, name: string): Placement {
  const saved = theme.values.sections;
  const set = typeof saved === "object" && saved !== null ? new Map(Object.entries(saved)).get(name) : undefined;
  const placement = set === undefined ? undefined : parsePlacement(name, { ...(set as object), type: name });
  return placement ?? { id: name, type: name, ...theme.schema(sectionFile(name)).initial };
}

/** None where the file is missing or broken: the ids in it are unknown then. */
function placedSections(theme: CompiledTheme, file: string): readonly Placement[] {
  try {
    return theme.json(file)?.sections ?? [];
  } catch {
    return [];
  }
}
