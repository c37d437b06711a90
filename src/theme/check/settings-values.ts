import { type CompiledTheme, findSchema } from "../files/compiled-theme.ts";
import type { SectionSchema, SettingSchema } from "../files/schema.ts";
import { parseType, unknownValue, type Value } from "./liquid/value.ts";

/** Returns the types of the variables `section`, `block` and `settings` in a file. */
export function listFileVariables(theme: CompiledTheme, file: string): [string, Value][] {
  const variables: [string, Value][] = [];
  if (theme.settings.length > 0)
    variables.push(["settings", createSettingsValue(theme.settings, "config/settings_schema.json has no setting")]);
  if (file.startsWith("sections/")) {
    const schema = findSchema(theme, file);
    variables.push([
      "section",
      { type: "section", ...(schema === undefined ? {} : { fields: createSectionFields(schema, file) }) },
    ]);
  }
  if (file.startsWith("blocks/")) {
    const schema = findSchema(theme, file);
    const settings =
      schema === undefined
        ? unknownValue
        : createSettingsValue(schema.settings, `the schema of ${file} has no setting`);
    variables.push(["block", { type: "block", fields: new Map([["settings", settings]]) }]);
  }
  return variables;
}

function createSectionFields(schema: SectionSchema, file: string): Map<string, Value> {
  return new Map([
    ["settings", createSettingsValue(schema.settings, `the schema of ${file} has no setting`)],
    ["blocks", { item: { type: "block", fields: new Map([["settings", getBlockSettings(schema, file)]]) } }],
  ]);
}

/** Returns the settings of all block types, because the type of the block in the variable `block` is unknown. */
function getBlockSettings(schema: SectionSchema, file: string): Value {
  if (
    schema.acceptsThemeBlocks ||
    schema.blocks.size === 0 ||
    [...schema.blocks.keys()].some((type) => type.startsWith("@"))
  )
    return unknownValue;
  return createSettingsValue([...schema.blocks.values()].flat(), `no block of ${file} has a setting`);
}

function createSettingsValue(settings: readonly SettingSchema[], missingFieldMessage: string): Value {
  const fields = new Map<string, Value>();
  for (const { id, type } of settings)
    fields.set(id, fields.has(id) ? unknownValue : parseType(objectTypes.get(type) ?? ""));
  return { fields, missingFieldMessage };
}

/** Object type of a setting's value, by setting type. */
const objectTypes: ReadonlyMap<string, string> = new Map([
  ["product", "product"],
  ["product_list", "product[]"],
  ["collection", "collection"],
  ["collection_list", "collection[]"],
  ["page", "page"],
  ["blog", "blog"],
  ["article", "article"],
  ["article_list", "article[]"],
  ["link_list", "linklist"],
  ["image_picker", "image"],
  ["font_picker", "font"],
  ["color", "color"],
  ["color_scheme", "color_scheme"],
]);
