import type { BlockPlacement, Placement } from "../json-template.ts";
import type { SectionSchema } from "../schema.ts";
import type { View } from "../view.ts";
import { settingsObject } from "./settings.ts";
import { objectType, TemplateObject } from "./template-object.ts";

interface Subject {
  readonly view: View;
  readonly placement: Placement;
  readonly schema: SectionSchema;
  /** 1 for the first of its template; absent: it stands alone. */
  readonly position?: number;
}

export function sectionObject(subject: Subject): TemplateObject<Subject> {
  return new TemplateObject(sectionType, subject);
}

const sectionType = objectType<Subject>("section", {
  id: ({ placement }) => placement.id,
  type: ({ placement }) => placement.type,
  index: ({ position }) => position,
  settings: ({ view, placement, schema }) => settingsObject(view, schema.settings, placement.settings),
  blocks: ({ view, placement, schema }) =>
    placement.blocks.map((block) => new TemplateObject(blockType, { view, block, schema })),
});

interface Block {
  readonly view: View;
  readonly block: BlockPlacement;
  readonly schema: SectionSchema;
}

const blockType = objectType<Block>("block", {
  id: ({ block }) => block.id,
  type: ({ block }) => block.type,
  settings: ({ view, block, schema }) => settingsObject(view, schema.blocks.get(block.type) ?? [], block.settings),
  shopify_attributes: () => "",
});
