import type { BlockPlacement, Placement } from "../../files/json-template.ts";
import type { SectionSchema, SettingSchema } from "../../files/schema.ts";
import type { View } from "../../view.ts";
import { objectType, TemplateObject } from "../template-object.ts";
import type { Closest } from "./dynamic-source.ts";
import { settingsObject } from "./settings.ts";

interface Subject {
  readonly view: View;
  readonly placement: Placement;
  readonly schema: SectionSchema;
  /** Position of the section in its template, from 1. Undefined outside a template. */
  readonly position?: number;
  /** Place of the section: "template", "header" ..., or "static" outside a template. */
  readonly location: string;
}

interface Block {
  readonly view: View;
  readonly block: BlockPlacement;
  /** Schema of the enclosing section, for blocks without a file. */
  readonly schema?: SectionSchema;
  readonly closest?: Closest;
  /** Rendered body of `{% block %}`. */
  readonly content?: string;
}

export function sectionObject(subject: Subject): TemplateObject<Subject> {
  return new TemplateObject(sectionType, subject);
}

export function blockObject(subject: Block): TemplateObject<Block> {
  return new TemplateObject(blockType, subject);
}

const sectionType = objectType<Subject>(
  "section",
  {
    id: ({ placement }) => placement.id,
    type: ({ placement }) => placement.type,
    index: ({ position }) => position,
    index0: ({ position }) => (position === undefined ? undefined : position - 1),
    location: ({ location }) => location,
    settings: ({ view, placement, schema }) => settingsObject(view, schema.settings, placement.settings),
    blocks: ({ view, placement, schema }) => blockObjects(view, placement.blocks, schema),
  },
  {},
  { fieldTypes: { settings: "settings", blocks: "block[]" }, identity: ({ placement }) => placement.id },
);

const blockType = objectType<Block>(
  "block",
  {
    id: ({ block }) => block.id,
    type: ({ block }) => block.type,
    settings: (subject) =>
      settingsObject(subject.view, blockSettings(subject), subject.block.settings, subject.closest),
    shopify_attributes: () => "",
  },
  {
    blocks: ({ view, block, schema }) => blockObjects(view, block.blocks, schema),
    content: ({ content }) => content,
  },
  { fieldTypes: { settings: "settings", blocks: "block[]" }, identity: ({ block }) => block.id },
);

/** Returns the blocks of a list. Static blocks are placed by a Liquid file and are in no list. */
function blockObjects(view: View, blocks: readonly BlockPlacement[], schema?: SectionSchema): unknown[] {
  return blocks
    .filter(({ isStatic }) => !isStatic)
    .map((block) => blockObject({ view, block, ...(schema === undefined ? {} : { schema }) }));
}

function blockSettings({ view, block, schema }: Block): readonly SettingSchema[] {
  const file = `blocks/${block.type}.liquid`;
  const localSettings = schema?.blocks.get(block.type);
  if (localSettings !== undefined && localSettings.length > 0) return localSettings;
  return view.theme.has(file) ? view.theme.schema(file).settings : (localSettings ?? []);
}
