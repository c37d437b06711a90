import { JsonError, readJsonTree, toPlainJson } from "./json-tree.ts";

/** One section of a JSON template or section group, with the merchant's settings. */
export interface SectionPlacement {
  readonly id: string;
  /** Name of a file in `sections/`. */
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly blocks: readonly BlockPlacement[];
  /** The merchant's CSS rules for this section. */
  readonly customCss?: readonly string[];
}

export interface BlockPlacement {
  readonly id: string;
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Nested blocks. */
  readonly blocks: readonly BlockPlacement[];
  /** Whether a Liquid file renders the block by its id. Such a block is not part of the list of blocks. */
  readonly isStatic: boolean;
}

/** HTML element around all sections of a template: `"wrapper": "main#content.wide"`. */
export interface TemplateWrapper {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** A JSON template or a section group. */
export interface JsonTemplate {
  /** Name of the layout, or false for no layout. */
  readonly layout: string | false;
  readonly wrapper?: TemplateWrapper;
  /** Type of a section group: "header", "footer" ... */
  readonly type?: string;
  /** Sections in display order, without disabled sections. */
  readonly sections: readonly SectionPlacement[];
}

/**
 * Parses `templates/*.json` and `sections/*-group.json`. Comments are allowed. Unknown ids in `order` are ignored.
 * @throws Error if the template is invalid
 */
export function parseJsonTemplate(text: string): JsonTemplate {
  const root = requireObject(parseJson(text), "a template");
  const wrapper = typeof root.wrapper === "string" ? parseWrapper(root.wrapper) : undefined;
  return {
    layout: root.layout === false ? false : typeof root.layout === "string" ? root.layout : "theme",
    ...(wrapper === undefined ? {} : { wrapper }),
    ...(typeof root.type === "string" ? { type: root.type } : {}),
    sections: parsePlacements(root.sections, root.order),
  };
}

/**
 * Parses the sections of a template.
 * @param order list of section ids; without a list, the order in the file is used
 * @throws Error if a section is invalid
 */
export function parsePlacements(sections: unknown, order: unknown): SectionPlacement[] {
  const sectionsById = new Map(Object.entries(requireObject(sections ?? {}, "sections")));
  const ids = Array.isArray(order) ? order.map(String) : [...sectionsById.keys()];
  return ids
    .filter((id) => sectionsById.has(id))
    .map((id) => parsePlacement(id, sectionsById.get(id)))
    .filter((placement) => placement !== undefined);
}

/**
 * Parses a section of a template.
 * @returns undefined for a disabled section
 * @throws Error if the section is invalid
 */
export function parsePlacement(id: string, value: unknown): SectionPlacement | undefined {
  const section = requireObject(value, `section "${id}"`);
  if (typeof section.type !== "string") throw new Error(`section "${id}" has no type`);
  if (section.disabled === true) return undefined;
  const rules = [section.custom_css].flat().filter((rule) => typeof rule === "string");
  return {
    id,
    type: section.type,
    settings: requireObject(section.settings ?? {}, `settings of "${id}"`),
    blocks: parseBlocks(id, section),
    ...(rules.length === 0 ? {} : { customCss: rules }),
  };
}

/** Maximum depth of nested blocks. Real themes use fewer levels. */
const maxBlockDepth = 20;

function parseBlocks(id: string, parent: Record<string, unknown>, depth = 1): BlockPlacement[] {
  if (depth > maxBlockDepth) throw new Error(`blocks of "${id}" are nested more than ${maxBlockDepth} levels deep`);
  const blocksById = new Map(Object.entries(requireObject(parent.blocks ?? {}, `blocks of "${id}"`)));
  const listedIds = Array.isArray(parent.block_order) ? parent.block_order.map(String) : [...blocksById.keys()];
  // The order of blocks often lacks the ids of static blocks, because a Liquid file renders these by id.
  const order = [
    ...listedIds,
    ...[...blocksById.keys()].filter((name) => !listedIds.includes(name) && isStaticBlock(blocksById.get(name))),
  ];
  const blocks: BlockPlacement[] = [];
  for (const blockId of order) {
    if (!blocksById.has(blockId)) continue;
    const block = requireObject(blocksById.get(blockId), `block "${blockId}" of "${id}"`);
    if (typeof block.type !== "string") throw new Error(`block "${blockId}" of "${id}" has no type`);
    if (block.disabled === true) continue;
    blocks.push({
      id: blockId,
      type: block.type,
      settings: requireObject(block.settings ?? {}, `settings of block "${blockId}" of "${id}"`),
      blocks: parseBlocks(blockId, block, depth + 1),
      isStatic: isStaticBlock(block),
    });
  }
  return blocks;
}

function isStaticBlock(block: unknown): boolean {
  return typeof block === "object" && block !== null && "static" in block && block.static === true;
}

/** Parses a selector such as "div#id.class[name=value]"; the default is a div.  @throws Error if it is malformed */
function parseWrapper(text: string): TemplateWrapper {
  const match = /^(?=.)(div|main|section)?((?:[#.][\w-]+|\[[\w-]+=[^\]]*\])*)$/.exec(text.trim());
  if (match === null) throw new Error(`wrapper "${text}": expected div, main or section, as in "main#content.wide"`);
  const [, name = "div", selectors = ""] = match;
  const attributes = new Map<string, string>();
  for (const [part, key, value] of selectors.matchAll(/[#.][\w-]+|\[([\w-]+)=([^\]]*)\]/g)) {
    if (part.startsWith("#")) attributes.set("id", part.slice(1));
    else if (part.startsWith(".")) attributes.set("class", `${attributes.get("class") ?? ""} ${part.slice(1)}`.trim());
    else if (key !== undefined && !key.startsWith("on")) attributes.set(key, (value ?? "").replace(/^["']|["']$/g, ""));
  }
  return { name, attributes: [...attributes] };
}

/** Parses JSON with comments and trailing commas, which theme editors write.  @throws SyntaxError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseLaxJson(text);
  }
}

function parseLaxJson(text: string): unknown {
  try {
    return toPlainJson(readJsonTree(text));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const precedingLines = text.slice(0, error.offset).split("\n");
    const column = (precedingLines.at(-1)?.length ?? 0) + 1;
    throw new SyntaxError(`invalid JSON: ${error.message} (line ${precedingLines.length} column ${column})`);
  }
}

export function requireObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${name}: expected an object`);
  return value as Record<string, unknown>;
}
