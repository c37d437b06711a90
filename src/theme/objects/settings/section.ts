import type { BlockPlacement, SectionPlacement } from "../../files/json-template.ts";
import type { SectionSchema, SettingSchema } from "../../files/schema.ts";
import type { View } from "../../view.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import type { ClosestObjectFinder } from "./dynamic-source.ts";
import { createSettingsObject } from "./settings.ts";

interface SectionData {
  readonly view: View;
  readonly placement: SectionPlacement;
  readonly schema: SectionSchema;
  /** Position of the section in its template, starting at 1. Undefined for a section outside templates. */
  readonly position?: number;
  /**
   * Type of the file that contains the section: "template", "header" ..., or "static" for a section outside templates
   * and section groups.
   */
  readonly location: string;
}

interface BlockData {
  readonly view: View;
  readonly block: BlockPlacement;
  /** Schema of the enclosing section. It defines the settings of blocks that have no file. */
  readonly schema?: SectionSchema;
  readonly closest?: ClosestObjectFinder;
  /** HTML of the content inside `{% block %}`. */
  readonly content?: string;
}

export const sectionType = createObjectType<SectionData>(
  "section",
  {
    id: ({ placement }) => placement.id,
    type: ({ placement }) => placement.type,
    index: ({ position }) => position,
    index0: ({ position }) => (position === undefined ? undefined : position - 1),
    location: ({ location }) => location,
    settings: ({ view, placement, schema }) => createSettingsObject(view, schema.settings, placement.settings),
    blocks: ({ view, placement, schema }) => createBlockObjects(view, placement.blocks, schema),
    shopify_attributes: () => "",
  },
  {},
  { fieldTypes: { settings: "settings", blocks: "block[]" }, identity: ({ placement }) => placement.id },
);

export const blockType = createObjectType<BlockData>(
  "block",
  {
    id: ({ block }) => block.id,
    type: ({ block }) => block.type,
    settings: (subject) =>
      createSettingsObject(subject.view, getBlockSettings(subject), subject.block.settings, subject.closest),
    shopify_attributes: () => "",
  },
  {
    blocks: ({ view, block, schema }) => createBlockObjects(view, block.blocks, schema),
    content: ({ content }) => content,
  },
  { fieldTypes: { settings: "settings", blocks: "block[]" }, identity: ({ block }) => block.id },
);

/** Creates the objects of a list of blocks. Static blocks are omitted, because a Liquid file renders them by id. */
function createBlockObjects(view: View, blocks: readonly BlockPlacement[], schema?: SectionSchema): unknown[] {
  return blocks
    .filter(({ isStatic }) => !isStatic)
    .map((block) => new TemplateObject(blockType, { view, block, ...(schema === undefined ? {} : { schema }) }));
}

function getBlockSettings({ view, block, schema }: BlockData): readonly SettingSchema[] {
  const file = `blocks/${block.type}.liquid`;
  const localSettings = schema?.blocks.get(block.type);
  if (localSettings !== undefined && localSettings.length > 0) return localSettings;
  return view.theme.has(file) ? view.theme.schema(file).settings : (localSettings ?? []);
}
