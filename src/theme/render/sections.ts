import { escapeHtml } from "../../runtime/escape-html.ts";
import { type CompiledTheme, findSchema, listTemplateSections } from "../files/compiled-theme.ts";
import { parsePlacement, type SectionPlacement } from "../files/json-template.ts";
import { getSectionPrefix } from "../files/section-prefix.ts";
import { maxSectionLength } from "../liquid/limits.ts";
import { renderAttribute } from "../liquid/safe-html.ts";
import { sectionType } from "../objects/settings/section.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { assignGlobalKey, type RenderState, renderError } from "../render-state.ts";
import type { PageContext } from "./page-context.ts";
import { createSectionWorkMeter, renderFile } from "./render-file.ts";

/** A section with its settings and the file that contains them. */
export interface LocatedSection {
  readonly placement: SectionPlacement;
  /** Position in its template or section group, starting at 1. */
  readonly position?: number;
  /** JSON template or section group that contains the section. Undefined if no such file contains it. */
  readonly file?: string;
}

/**
 * Finds a section by id: in the page's JSON template, in the section groups, or as a file in `sections/`.
 * @returns undefined if the theme has no such section
 */
export function findSection(id: string, theme: CompiledTheme, page: PageContext): LocatedSection | undefined {
  for (const file of [`templates/${page.template}.json`, ...theme.groups]) {
    const section = findFileSection(file, id, theme);
    if (section !== undefined) return section;
  }
  return theme.has(`sections/${id}.liquid`) ? { placement: getStaticPlacement(theme, id) } : undefined;
}

/** Finds a section by id in the page's template only. */
export function findPlacedSection(id: string, theme: CompiledTheme, page: PageContext): LocatedSection | undefined {
  return findFileSection(`templates/${page.template}.json`, id, theme);
}

function findFileSection(file: string, id: string, theme: CompiledTheme): LocatedSection | undefined {
  const sections = listTemplateSections(theme, file);
  const index = sections.findIndex((section) => section.id === id);
  const placement = sections[index];
  return placement === undefined ? undefined : { placement, position: index + 1, file };
}

/**
 * Renders a section with its wrapper element. A tag or output that fails is omitted.
 * @throws Error if the section's file is missing, invalid, or exceeds a limit
 * @see spec 4.8
 */
export function renderSection(state: RenderState, section: LocatedSection): string {
  const { placement, position } = section;
  const file = formatSectionFile(placement.type);
  state.renderedSections.set(placement.id, placement.type);
  const schema = state.theme.schema(file);
  const object = new TemplateObject(sectionType, {
    view: state.view,
    placement,
    schema,
    location: formatSectionLocation(state.theme, section.file),
    ...(position === undefined ? {} : { position }),
  });
  const previousSection = state.globals[assignGlobalKey]("section", object);
  state.section = placement.type;
  state.placement = placement;
  try {
    const html = renderFile(state, file, createSectionWorkMeter(state), maxSectionLength);
    return wrapSection(state, section, renderCustomStyles(state, placement) + html);
  } finally {
    delete state.section;
    delete state.placement;
    delete state.block;
    delete state.closest;
    state.globals[assignGlobalKey]("section", previousSection);
  }
}

/** Renders a section of a page. If the section fails, reports the error and returns an empty string. */
export function renderSectionOfPage(state: RenderState, section: LocatedSection): string {
  try {
    return renderSection(state, section);
  } catch (error) {
    state.report(error);
    return wrapSection(state, section, renderError(state, error));
  }
}

/** Renders the section for the tag `{% section 'header' %}`.  @throws Error if the tag is used inside a section */
export function renderStaticSection(state: RenderState, name: string): string {
  requireNoSection(state, name);
  if (!state.theme.has(formatSectionFile(name)))
    throw new Error(`${formatSectionFile(name)}: no such file in the theme`);
  return renderSectionOfPage(state, { placement: getStaticPlacement(state.theme, name) });
}

/**
 * Renders a section group for the tag `{% sections 'header-group' %}`.
 * @throws Error if the tag is used inside a section
 */
export function renderGroup(state: RenderState, name: string): string {
  requireNoSection(state, name);
  const file = `sections/${name}.json`;
  const group = state.theme.json(file);
  if (group === undefined) throw new Error(`${file}: no such file in the theme`);
  return renderPlacements(state, group.sections, file);
}

/** Renders sections one after another.  @param file the template or section group that contains them */
export function renderPlacements(state: RenderState, placements: readonly SectionPlacement[], file: string): string {
  return placements
    .filter(({ type }) => type !== appsSectionType || state.theme.has(formatSectionFile(type)))
    .map((placement, index) => renderSectionOfPage(state, { placement, position: index + 1, file }))
    .join("\n");
}

/**
 * Type of sections that contain app blocks. Templates may contain such a section even if its file is missing, because
 * apps are not supported.
 */
const appsSectionType = "apps";

export function formatSectionFile(type: string): string {
  return `sections/${type}.liquid`;
}

function requireNoSection(state: RenderState, name: string): void {
  if (state.section !== undefined)
    throw new Error(`section '${name}' is inside the section '${state.section}'; render a snippet there`);
}

/** Wraps a section in a `div` with the classes that themes made for Shopify expect. */
function wrapSection(state: RenderState, section: LocatedSection, html: string): string {
  const { sectionClass } = state.view.config.compat;
  const classes =
    sectionClass === undefined ? undefined : [sectionClass, ...listWrapperClasses(state, section)].join(" ");
  return `<div id="${formatWrapperId(state, section.placement)}"${renderAttribute("class", classes)}>${html}</div>`;
}

/** Returns the id of a section's wrapper, escaped for HTML. */
function formatWrapperId({ theme, view }: RenderState, { id }: SectionPlacement): string {
  return `${getSectionPrefix(theme, view.config.compat)}${escapeHtml(id)}`;
}

/** Returns the classes that the section's schema and its section group define. */
function listWrapperClasses({ theme, view }: RenderState, { placement, file }: LocatedSection): string[] {
  const [, group] = /^sections\/(.+)\.json$/.exec(file ?? "") ?? [];
  const schemaClasses = findSchema(theme, formatSectionFile(placement.type))?.className;
  return [
    ...(group === undefined ? [] : [`${getSectionPrefix(theme, view.config.compat)}group-${group}`]),
    ...(schemaClasses === undefined ? [] : [schemaClasses]),
  ];
}

/** Returns the CSS that the merchant added to this section. Its rules apply only inside the section. */
function renderCustomStyles(state: RenderState, placement: SectionPlacement): string {
  const { customCss = [] } = placement;
  if (customCss.length === 0) return "";
  const rules = customCss.join("\n").replaceAll("</", "<\\/");
  return `<style>#${formatWrapperId(state, placement)} {\n${rules}\n}</style>`;
}

/**
 * Returns the type of the file that contains a section: "template", "header", "footer" ..., or "static" without a file.
 */
function formatSectionLocation(theme: CompiledTheme, file: string | undefined): string {
  if (file === undefined) return "static";
  return file.startsWith("templates/") ? "template" : (theme.json(file)?.type ?? "template");
}

/**
 * Returns settings and blocks for a section outside JSON templates: the theme's settings for it, or the schema's
 * defaults.
 */
function getStaticPlacement(theme: CompiledTheme, name: string): SectionPlacement {
  const savedSections = theme.values.sections;
  const savedSection =
    typeof savedSections === "object" && savedSections !== null
      ? new Map(Object.entries(savedSections)).get(name)
      : undefined;
  const placement =
    savedSection === undefined ? undefined : parsePlacement(name, { ...(savedSection as object), type: name });
  return placement ?? { id: name, type: name, ...theme.schema(formatSectionFile(name)).initialContent };
}
