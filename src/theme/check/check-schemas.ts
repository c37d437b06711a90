import { findPreset } from "../files/compile-theme.ts";
import { entriesOf, getMember, getTextValue, itemsOf, type JsonEntry, type JsonNode } from "../files/json-tree.ts";
import type { CheckContext, Reporter } from "./check-context.ts";
import {
  checkEachSetting,
  checkSettings,
  checkValues,
  type KnownSettings,
  readKnownSettings,
} from "./check-settings.ts";
import type { KnownNames } from "./known-names.ts";
import { suggestName } from "./nearest.ts";

/** Settings and blocks that a section or block accepts, according to its schema. */
export interface KnownSchema extends SchemaSource {
  /** Name of the schema in messages: "the schema of sections/header.liquid". */
  readonly name: string;
  readonly settings: KnownSettings;
  /** For each block type that is defined in the schema, the settings of such blocks. */
  readonly blocks: ReadonlyMap<string, KnownSettings>;
  /** Whether the section or block accepts all blocks in the folder `blocks/`. */
  readonly acceptsThemeBlocks: boolean;
}

/** JSON of a schema, and its position. */
export interface SchemaSource {
  readonly file: string;
  /** Offset of the JSON in the file. */
  readonly baseOffset: number;
  /** Undefined if the file has no schema, or if it is invalid. */
  readonly tree: JsonNode | undefined;
}

/**
 * Checks the JSON of every `{% schema %}` and of `config/settings_schema.json`.  @returns the parsed schema of each
 * file
 */
export function checkSchemas(context: CheckContext, names: KnownNames): ReadonlyMap<string, KnownSchema> {
  const schemas = new Map<string, KnownSchema>();
  const presetChecks: (() => void)[] = [];
  for (const file of [...context.listFiles("sections", ".liquid"), ...context.listFiles("blocks", ".liquid")]) {
    const source = readSchema(context, file);
    schemas.set(file, readKnownSchema(source, context.theme.source(file).schema !== undefined));
    const { tree, baseOffset } = source;
    if (tree === undefined) continue;
    const report = context.createReporter("schema", file, { baseOffset });
    if (tree.type !== "object") {
      report("error", tree.offset, "a schema: expected an object");
      continue;
    }
    checkSettings(getMember(tree, "settings"), report);
    checkBlocks(context, tree, report);
    checkTexts(tree, names, report);
    presetChecks.push(() => checkPresets(tree, schemas.get(file) as KnownSchema, schemas, report));
  }
  for (const checkPreset of presetChecks) checkPreset();
  checkThemeSettings(context, names);
  return schemas;
}

/** Checks that a block's type is allowed, and that the type defines the settings that the block uses. */
export function checkBlock(
  node: JsonNode,
  offset: number,
  parent: KnownSchema,
  schemas: ReadonlyMap<string, KnownSchema>,
  report: Reporter,
): void {
  const type = getTextValue(getMember(node, "type"));
  if (type === undefined) {
    report("error", offset, 'a block without a "type"');
    return;
  }
  const typeOffset = getMember(node, "type")?.offset ?? offset;
  if (type.startsWith("shopify://")) report("warning", typeOffset, "a block of an app, which is not shown: remove it");
  if (type.startsWith("@") || type.startsWith("shopify://")) return;
  const blockSchema = schemas.get(`blocks/${type}.liquid`);
  const settings = parent.blocks.get(type);
  if (blockSchema === undefined && settings === undefined) {
    const names = [...parent.blocks.keys(), ...(parent.acceptsThemeBlocks ? listBlockNames(schemas) : [])];
    report("error", typeOffset, `${parent.name} has no block of type "${type}"${suggestName(type, names)}`);
    return;
  }
  const schema = blockSchema ?? {
    ...parent,
    name: `block "${type}" of ${parent.name}`,
    settings: settings ?? new Map(),
    blocks: new Map(),
    acceptsThemeBlocks: false,
  };
  const knownSettings = settings !== undefined && settings.size > 0 ? settings : schema.settings;
  checkValues(getMember(node, "settings"), knownSettings, schema.name, report);
  for (const { offset: childOffset, value } of listBlockEntries(getMember(node, "blocks")))
    checkBlock(value, childOffset, schema, schemas, report);
}

/**
 * Returns the blocks of a template. A JSON template contains them as an object with block ids as keys, or as a list.
 */
export function listBlockEntries(blocks: JsonNode | undefined): readonly Pick<JsonEntry, "offset" | "value">[] {
  return blocks?.type === "array"
    ? itemsOf(blocks).map((value) => ({ offset: value.offset, value }))
    : entriesOf(blocks);
}

function listBlockNames(schemas: ReadonlyMap<string, KnownSchema>): string[] {
  return [...schemas.keys()].flatMap((file) => /^blocks\/(.+)\.liquid$/.exec(file)?.[1] ?? []);
}

function readSchema(context: CheckContext, file: string): SchemaSource {
  const { schema } = context.theme.source(file);
  if (schema === undefined) return { file, baseOffset: 0, tree: undefined };
  const baseOffset = context.theme.folder.texts.get(file)?.indexOf(schema) ?? 0;
  return { file, baseOffset, tree: context.json(file, "schema", schema, baseOffset) };
}

function readKnownSchema(source: SchemaSource, hasSchema: boolean): KnownSchema {
  const { file, tree } = source;
  const blocks = itemsOf(getMember(tree, "blocks")).map(
    (block) => [getTextValue(getMember(block, "type")) ?? "", readKnownSettings(getMember(block, "settings"))] as const,
  );
  return {
    ...source,
    name: hasSchema ? `the schema of ${file}` : `${file}, which has no {% schema %},`,
    settings: readKnownSettings(getMember(tree, "settings")),
    blocks: new Map(blocks),
    acceptsThemeBlocks: blocks.some(([type]) => type === "@theme"),
  };
}

function checkBlocks(context: CheckContext, tree: JsonNode, report: Reporter): void {
  const types = new Set<string>();
  for (const block of itemsOf(getMember(tree, "blocks"))) {
    const type = getTextValue(getMember(block, "type"));
    if (type === undefined) {
      report("error", block.offset, 'a block without a "type"');
      continue;
    }
    if (types.has(type)) report("error", block.offset, `the block type "${type}" is used twice`);
    types.add(type);
    const isLocalBlock = getMember(block, "name") !== undefined || getMember(block, "settings") !== undefined;
    if (!isLocalBlock && !type.startsWith("@") && !context.theme.has(`blocks/${type}.liquid`)) {
      const names = context.listNames("blocks");
      if (names.length > 0) report("error", block.offset, `no file blocks/${type}.liquid${suggestName(type, names)}`);
    }
    checkSettings(getMember(block, "settings"), report);
  }
}

function checkPresets(
  tree: JsonNode,
  blockSchema: KnownSchema,
  schemas: ReadonlyMap<string, KnownSchema>,
  report: Reporter,
): void {
  const presetsNode = getMember(tree, "presets");
  const presetNodes =
    presetsNode?.type === "array" ? itemsOf(presetsNode) : entriesOf(presetsNode).map(({ value }) => value);
  for (const preset of [...presetNodes, ...[getMember(tree, "default")].filter((node) => node !== undefined)]) {
    checkValues(getMember(preset, "settings"), blockSchema.settings, blockSchema.name, report);
    for (const { offset, value } of listBlockEntries(getMember(preset, "blocks")))
      checkBlock(value, offset, blockSchema, schemas, report);
  }
}

/** Reports an error if the setting `themePreset` names a preset that the theme does not have. */
export function checkPreset(context: CheckContext, preset: string | undefined): void {
  if (preset === undefined) return;
  const file = "config/settings_data.json";
  const tree = context.json(file, "schema");
  try {
    findPreset(
      entriesOf(getMember(tree, "presets")).map(({ key }) => key),
      preset,
    );
  } catch (error) {
    context.add("error", "unknown-preset", { file }, `themePreset of vitrine.config.ts: ${(error as Error).message}`);
  }
}

function checkThemeSettings(context: CheckContext, names: KnownNames): void {
  context.json("config/settings_data.json", "schema");
  const file = "config/settings_schema.json";
  const tree = context.json(file, "schema");
  if (tree === undefined) return;
  const report = context.createReporter("schema", file);
  const settings = itemsOf(tree).flatMap((group) => itemsOf(getMember(group, "settings")));
  checkEachSetting(settings, report);
  checkTexts(tree, names, report);
}

/** Checks translation keys in the defaults of settings. Names and labels are skipped, since shoppers never see them. */
function checkTexts(node: JsonNode, names: KnownNames, report: Reporter): void {
  for (const item of itemsOf(node)) checkTexts(item, names, report);
  for (const { key, value } of entriesOf(node)) {
    const text = key === "default" ? getTextValue(value) : undefined;
    if (text?.startsWith("t:") && !names.hasSchemaText(text.slice("t:".length)))
      report("error", value.offset, `no text "${text.slice("t:".length)}" in the default language of locales/`);
    checkTexts(value, names, report);
  }
}
