import { JsonError, plainValue, readJsonTree } from "./json-tree.ts";

/** One section of a template or group, with the merchant's settings. */
export interface Placement {
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
  /** Placed by its id in a Liquid file; lists of blocks omit it. */
  readonly isStatic: boolean;
}

/** Element around all sections of a template: `"wrapper": "main#content.wide"`. */
export interface Wrapper {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** A JSON template or a section group. */
export interface JsonTemplate {
  /** Name of the layout; false for none. */
  readonly layout: string | false;
  readonly wrapper?: Wrapper;
  /** Type of a group: "header", "footer" ... */
  readonly type?: string;
  /** In display order, without disabled sections. */
  readonly sections: readonly Placement[];
}

/**
 * Parses `templates/*.json` and `sections/*-group.json`. Comments are allowed; unknown names in an order are ignored.
 * @throws Error with the problem
 */
export function parseJsonTemplate(text: string): JsonTemplate {
  const root = asObject(parseJson(text), "a template");
  const wrapper = typeof root.wrapper === "string" ? parseWrapper(root.wrapper) : undefined;
  return {
    layout: root.layout === false ? false : typeof root.layout === "string" ? root.layout : "theme",
    ...(wrapper === undefined ? {} : { wrapper }),
    ...(typeof root.type === "string" ? { type: root.type } : {}),
    sections: parsePlacements(root.sections, root.order),
  };
}

/** @param order ids; if it is not a list, the order of the file applies  @throws Error with the problem */
export function parsePlacements(sections: unknown, order: unknown): Placement[] {
  const named = new Map(Object.entries(asObject(sections ?? {}, "sections")));
  const ids = Array.isArray(order) ? order.map(String) : [...named.keys()];
  return ids
    .filter((id) => named.has(id))
    .map((id) => parsePlacement(id, named.get(id)))
    .filter((placement) => placement !== undefined);
}

/** @returns undefined for a disabled section  @throws Error with the problem */
export function parsePlacement(id: string, value: unknown): Placement | undefined {
  const section = asObject(value, `section "${id}"`);
  if (typeof section.type !== "string") throw new Error(`section "${id}" has no type`);
  if (section.disabled === true) return undefined;
  const rules = [section.custom_css].flat().filter((rule) => typeof rule === "string");
  return {
    id,
    type: section.type,
    settings: asObject(section.settings ?? {}, `settings of "${id}"`),
    blocks: parseBlocks(id, section),
    ...(rules.length === 0 ? {} : { customCss: rules }),
  };
}

/** Depth of nested blocks; no theme has more. */
const maxNesting = 20;

function parseBlocks(id: string, parent: Record<string, unknown>, depth = 1): BlockPlacement[] {
  if (depth > maxNesting) throw new Error(`blocks of "${id}" stand more than ${maxNesting} deep in one another`);
  const named = new Map(Object.entries(asObject(parent.blocks ?? {}, `blocks of "${id}"`)));
  const listed = Array.isArray(parent.block_order) ? parent.block_order.map(String) : [...named.keys()];
  // Static blocks are often missing from the order: a Liquid file places them.
  const order = [...listed, ...[...named.keys()].filter((name) => !listed.includes(name) && isStatic(named.get(name)))];
  const blocks: BlockPlacement[] = [];
  for (const blockId of order) {
    if (!named.has(blockId)) continue;
    const block = asObject(named.get(blockId), `block "${blockId}" of "${id}"`);
    if (typeof block.type !== "string") throw new Error(`block "${blockId}" of "${id}" has no type`);
    if (block.disabled === true) continue;
    blocks.push({
      id: blockId,
      type: block.type,
      settings: asObject(block.settings ?? {}, `settings of block "${blockId}" of "${id}"`),
      blocks: parseBlocks(blockId, block, depth + 1),
      isStatic: isStatic(block),
    });
  }
  return blocks;
}

function isStatic(block: unknown): boolean {
  return typeof block === "object" && block !== null && "static" in block && block.static === true;
}

/** Parses "div#id.class[name=value]".  @throws Error if the element is not allowed */
function parseWrapper(text: string): Wrapper {
  const [, name, rest = ""] = /^(div|main|section)((?:[#.][\w-]+|\[[\w-]+=[^\]]*\])*)$/.exec(text.trim()) ?? [];
  if (name === undefined)
    throw new Error(`wrapper "${text}": expected div, main or section, as in "main#content.wide"`);
  const attributes = new Map<string, string>();
  for (const [part, key, value] of rest.matchAll(/[#.][\w-]+|\[([\w-]+)=([^\]]*)\]/g)) {
    if (part.startsWith("#")) attributes.set("id", part.slice(1));
    else if (part.startsWith(".")) attributes.set("class", `${attributes.get("class") ?? ""} ${part.slice(1)}`.trim());
    else if (key !== undefined && !key.startsWith("on")) attributes.set(key, (value ?? "").replace(/^["']|["']$/g, ""));
  }
  return { name, attributes: [...attributes] };
}

/** Parses JSON as theme editors and people write it, with comments and trailing commas.  @throws SyntaxError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseTolerantly(text);
  }
}

function parseTolerantly(text: string): unknown {
  try {
    return plainValue(readJsonTree(text));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const before = text.slice(0, error.at).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new SyntaxError(`no JSON: ${error.message} (line ${before.length} column ${column})`);
  }
}

export function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${name}: expected an object`);
  return value as Record<string, unknown>;
}
