/** One section of a template or group, with what the merchant set. */
export interface Placement {
  readonly id: string;
  /** Name of a file in `sections/`. */
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly blocks: readonly BlockPlacement[];
}

export interface BlockPlacement {
  readonly id: string;
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A JSON template or a section group. */
export interface JsonTemplate {
  /** Name of the layout; false: none. */
  readonly layout: string | false;
  /** In the order in which they are shown; disabled ones are left out. */
  readonly sections: readonly Placement[];
}

/** Reads `templates/*.json` and `sections/*-group.json`. A comment may stand before the object.
 *  @throws Error that says what is wrong */
export function parseJsonTemplate(text: string): JsonTemplate {
  const root = asObject(JSON.parse(withoutComments(text)), "a template");
  const named = new Map(Object.entries(asObject(root.sections ?? {}, "sections")));
  const order = Array.isArray(root.order) ? root.order.map(String) : [...named.keys()];
  const sections: Placement[] = [];
  for (const id of order) {
    if (!named.has(id)) throw new Error(`order names the section "${id}", which is not in sections`);
    const placement = parsePlacement(id, named.get(id));
    if (placement !== undefined) sections.push(placement);
  }
  return { layout: root.layout === false ? false : typeof root.layout === "string" ? root.layout : "theme", sections };
}

/** @returns undefined for a disabled section @throws Error that says what is wrong */
export function parsePlacement(id: string, value: unknown): Placement | undefined {
  const section = asObject(value, `section "${id}"`);
  if (typeof section.type !== "string") throw new Error(`section "${id}" has no type`);
  if (section.disabled === true) return undefined;
  return {
    id,
    type: section.type,
    settings: asObject(section.settings ?? {}, `settings of "${id}"`),
    blocks: parseBlocks(id, section),
  };
}

function parseBlocks(id: string, section: Record<string, unknown>): BlockPlacement[] {
  const named = new Map(Object.entries(asObject(section.blocks ?? {}, `blocks of "${id}"`)));
  const order = Array.isArray(section.block_order) ? section.block_order.map(String) : [...named.keys()];
  const blocks: BlockPlacement[] = [];
  for (const blockId of order) {
    const block = asObject(named.get(blockId), `block "${blockId}" of "${id}"`);
    if (typeof block.type !== "string") throw new Error(`block "${blockId}" of "${id}" has no type`);
    if (block.disabled === true) continue;
    blocks.push({
      id: blockId,
      type: block.type,
      settings: asObject(block.settings ?? {}, `settings of block "${blockId}" of "${id}"`),
    });
  }
  return blocks;
}

/** Theme editors write a comment before the object. */
export function withoutComments(text: string): string {
  return text.replace(/^\uFEFF?\s*(?:\/\*[\s\S]*?\*\/\s*)*/, "");
}

export function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${name}: expected an object`);
  return value as Record<string, unknown>;
}
