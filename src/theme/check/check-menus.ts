import { entriesOf, itemsOf, JsonFault, type JsonNode, member, readJsonTree, textValue } from "../files/json-tree.ts";
import { blockEntries } from "./check-schemas.ts";
import type { Use } from "./check-templates.ts";
import type { ThemeUnderCheck } from "./theme-under-check.ts";

/** Looks whether the menus that settings name are those of the store: by what is placed, with its default where it gives no value.
 *  @param uses what Liquid files bring in */
export function checkMenus(check: ThemeUnderCheck, uses: readonly Use[]): void {
  const { menus } = check;
  if (menus === undefined) return;
  const wanted: Wanted = ({ file, at }, menu) => {
    if (menu === "" || menus.includes(menu)) return;
    const known = menus.length === 0 ? "has none" : `has ${menus.map((one) => `"${one}"`).join(", ")}`;
    const message = `no menu "${menu}": "menus" of vitrine.config.ts ${known}`;
    check.add("warning", "unknown-menu", check.place(file, at), message);
  };
  const schemas = readSchemas(check);
  const treeOfFile = (file: string) => treeOf(check.theme.folder.texts.get(file) ?? "");
  for (const file of [...check.files("templates", ".json"), ...check.files("sections", ".json")])
    for (const { value } of entriesOf(member(treeOfFile(file), "sections"))) {
      const type = textValue(member(value, "type"));
      checkPlaced(value, { file, begin: 0 }, schemas.get(`sections/${type}.liquid`), schemas, wanted);
    }
  for (const { to } of uses) {
    const schema = schemas.get(to);
    if (schema !== undefined) checkPlaced(schema.preset, { file: to, begin: schema.begin }, schema, schemas, wanted);
  }
  const [schemaFile, dataFile] = ["config/settings_schema.json", "config/settings_data.json"];
  const general = settingsOf(treeOfFile(schemaFile), { file: schemaFile, begin: 0 });
  checkValues(member(treeOfFile(dataFile), "current"), { file: dataFile, begin: 0 }, general, wanted);
}

type Wanted = (at: { readonly file: string; readonly at: number }, menu: string) => void;

/** A setting of type "link_list". */
interface MenuSetting {
  readonly id: string;
  readonly file: string;
  /** Of its default in the file. */
  readonly at: number;
  readonly fallback: string;
}

interface MenuSchema {
  readonly own: readonly MenuSetting[];
  readonly blocks: ReadonlyMap<string, readonly MenuSetting[]>;
  /** What a section has that a tag places. */
  readonly preset: JsonNode | undefined;
  /** Offset of the schema in its file. */
  readonly begin: number;
}

function readSchemas(check: ThemeUnderCheck): ReadonlyMap<string, MenuSchema> {
  const schemas = new Map<string, MenuSchema>();
  for (const file of [...check.files("sections", ".liquid"), ...check.files("blocks", ".liquid")]) {
    const { schema } = check.theme.source(file);
    if (schema === undefined) continue;
    const begin = (check.theme.folder.texts.get(file) ?? "").indexOf(schema);
    const tree = treeOf(schema);
    const blocks = itemsOf(member(tree, "blocks")).map(
      (block) => [textValue(member(block, "type")) ?? "", settingsOf(block, { file, begin })] as const,
    );
    const own = settingsOf(tree, { file, begin });
    schemas.set(file, { own, blocks: new Map(blocks), preset: member(tree, "default"), begin });
  }
  return schemas;
}

/** The menus that a schema, a block of it, or the groups of the theme's settings ask for. */
function settingsOf(owner: JsonNode | undefined, { file, begin }: Source): readonly MenuSetting[] {
  const groups = owner?.type === "array" ? itemsOf(owner) : [owner];
  return groups
    .flatMap((group) => itemsOf(member(group, "settings")))
    .filter((setting) => textValue(member(setting, "type")) === "link_list")
    .map((setting) => {
      const fallback = member(setting, "default");
      const at = begin + (fallback ?? setting).offset;
      return { id: textValue(member(setting, "id")) ?? "", file, at, fallback: textValue(fallback) ?? "" };
    });
}

/** Where a piece of JSON was read: its offsets count from `begin`. */
interface Source {
  readonly file: string;
  readonly begin: number;
}

/** A section or a block, with the blocks in it. @param node as it is placed in the source */
function checkPlaced(
  node: JsonNode | undefined,
  source: Source,
  schema: MenuSchema | undefined,
  schemas: ReadonlyMap<string, MenuSchema>,
  wanted: Wanted,
): void {
  if (schema === undefined) return;
  checkValues(member(node, "settings"), source, schema.own, wanted);
  for (const { value } of blockEntries(member(node, "blocks"))) {
    const type = textValue(member(value, "type")) ?? "";
    checkValues(member(value, "settings"), source, schema.blocks.get(type) ?? [], wanted);
    checkPlaced(value, source, schemas.get(`blocks/${type}.liquid`), schemas, wanted);
  }
}

function checkValues(
  values: JsonNode | undefined,
  { file, begin }: Source,
  settings: readonly MenuSetting[],
  wanted: Wanted,
): void {
  for (const { id, fallback, ...place } of settings) {
    const given = member(values, id);
    if (given === undefined) wanted(place, fallback);
    else wanted({ file, at: begin + given.offset }, textValue(given) ?? "");
  }
}

/** @returns undefined where the text is no JSON, which others tell */
function treeOf(text: string): JsonNode | undefined {
  try {
    return readJsonTree(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return undefined;
  }
}
