import { existsSync } from "node:fs";
import { join } from "node:path";
import { decodeUriPart } from "../../runtime/decode-uri.ts";
import { entriesOf, getMember, getTextValue, itemsOf, type JsonNode } from "../files/json-tree.ts";
import type { CheckContext } from "./check-context.ts";
import { type KnownSchema, listBlockEntries } from "./check-schemas.ts";
import type { SnippetInclusion } from "./check-templates.ts";
import type { Finding, NamedEntry, SourceLocation } from "./finding.ts";
import type { StoreInfo } from "./known-store.ts";

/**
 * Checks that the menus, images, URLs and catalog entries that settings name exist. If a setting has no value, checks
 * its default. Every catalog entry is reported as missing. `removeExistingEntries` later removes the findings about
 * entries that exist.
 * @param inclusions which Liquid file includes which other files
 */
export function checkReferences(
  context: CheckContext,
  inclusions: readonly SnippetInclusion[],
  schemas: ReadonlyMap<string, KnownSchema>,
): void {
  const { store } = context;
  if (store === undefined) return;
  const onReference: ReferenceListener = ({ file, offset }, setting, value) => {
    for (const line of value.split("\n"))
      if (line !== "") checkReference(context, store, setting, line, context.locate(file, offset));
  };
  for (const file of [...context.listFiles("templates", ".json"), ...context.listFiles("sections", ".json")])
    for (const { value } of entriesOf(getMember(context.json(file, "template"), "sections"))) {
      const type = getTextValue(getMember(value, "type"));
      checkPlacement(value, { file, baseOffset: 0 }, schemas.get(`sections/${type}.liquid`), schemas, onReference);
    }
  for (const { includedFile } of inclusions) {
    const schema = schemas.get(includedFile);
    if (schema !== undefined) checkPlacement(getMember(schema.tree, "default"), schema, schema, schemas, onReference);
  }
  const [schemaFile, dataFile] = ["config/settings_schema.json", "config/settings_data.json"];
  const generalSettings = listSettings(context.json(schemaFile, "schema"), { file: schemaFile, baseOffset: 0 });
  const values = getMember(context.json(dataFile, "schema"), "current");
  checkValues(values, { file: dataFile, baseOffset: 0 }, generalSettings, onReference);
}

function checkReference(
  context: CheckContext,
  store: StoreInfo,
  { id, type }: SettingReference,
  value: string,
  location: SourceLocation,
): void {
  const warn = (rule: string, message: string, subject?: Pick<Finding, "entry" | "menu">): void =>
    context.add("warning", rule, location, message, subject);
  if (type === "link_list") {
    const { menus } = store;
    if (menus.includes(value)) return;
    const menuListText = menus.length === 0 ? "has none" : `has ${menus.map((menu) => `"${menu}"`).join(", ")}`;
    warn("unknown-menu", `no menu "${value}": "menus" of vitrine.config.ts ${menuListText}`, { menu: value });
    return;
  }
  if (type === "image_picker") {
    const [, fileName] = /^shopify:\/\/shop_images\/(.+)$/.exec(value) ?? [];
    const [, mediaFile] = /^\/media\/([^?]+)/.exec(value) ?? [];
    if (fileName !== undefined)
      warn(
        "unknown-picture",
        `"${id}" names the picture "${fileName}" of another shop, which is not shown: copy it to media/ and write "/media/${fileName}"`,
      );
    else if (mediaFile !== undefined && !existsSync(join(store.dir, "media", decodeUriPart(mediaFile, mediaFile))))
      warn("unknown-picture", `no file media/${mediaFile}: put the picture there, or choose another for "${id}"`);
    return;
  }
  if (type === "url") {
    const url = value.replace(/^shopify:\/\/(?=\w)/, "/");
    const entry = findEntryByUrl(url);
    if (entry !== undefined) warn("unknown-entry", formatMissingEntry(entry, `"${id}" leads to it`), { entry });
    return;
  }
  const entry = { kind: entryKinds.get(type) ?? "page", handle: value };
  if (value !== "all" || entry.kind !== "collection")
    warn("unknown-entry", formatMissingEntry(entry, `"${id}" shows nothing`), { entry });
}

function formatMissingEntry({ kind, handle }: NamedEntry, consequence: string): string {
  return `no ${kind} "${handle}" in the catalog, and ${consequence}: choose one that is there, or add it to catalog/`;
}

/** Returns the catalog entry of a URL such as "/products/tote", or undefined for other URLs. */
export function findEntryByUrl(url: string): NamedEntry | undefined {
  const [, folder = "", pathHandle = "", pathRemainder] =
    /^\/(products|collections|pages|blogs|articles)\/([^/?#]+)(?:\/([^/?#]+))?/.exec(url) ?? [];
  if (pathHandle === "" || /[{}]/.test(url)) return undefined;
  const handle = decodeUriPart(pathHandle, pathHandle);
  if (folder === "products") return { kind: "product", handle };
  if (folder === "pages") return { kind: "page", handle };
  if (folder === "collections")
    return ["all", "vendors", "types"].includes(handle) ? undefined : { kind: "collection", handle };
  return pathRemainder === undefined || pathRemainder === "tagged"
    ? { kind: "blog", handle }
    : { kind: "article", handle: `${handle}/${decodeUriPart(pathRemainder, pathRemainder)}` };
}

/** Maps the type of a setting to the kind of catalog entry that its value names. */
const entryKinds: ReadonlyMap<string, NamedEntry["kind"]> = new Map([
  ["product", "product"],
  ["product_list", "product"],
  ["collection", "collection"],
  ["collection_list", "collection"],
  ["page", "page"],
  ["blog", "blog"],
  ["article", "article"],
  ["article_list", "article"],
]);

type ReferenceListener = (
  location: { readonly file: string; readonly offset: number },
  setting: SettingReference,
  value: string,
) => void;

/** A setting whose value names an entry, a menu, an image or a URL of the store. */
interface SettingReference {
  readonly id: string;
  readonly type: string;
  readonly file: string;
  /** Offset of the setting's default value in the file. */
  readonly offset: number;
  readonly fallbackText: string;
}

/** Returns the settings whose values name a catalog entry, menu, image or URL. */
function listSettings(owner: JsonNode | undefined, { file, baseOffset }: FragmentSource): readonly SettingReference[] {
  const groups = owner?.type === "array" ? itemsOf(owner) : [owner];
  return groups
    .flatMap((group) => itemsOf(getMember(group, "settings")))
    .flatMap((setting) => {
      const type = getTextValue(getMember(setting, "type")) ?? "";
      if (!entryKinds.has(type) && !otherReferenceTypes.has(type)) return [];
      const defaultValue = getMember(setting, "default");
      const offset = baseOffset + (defaultValue ?? setting).offset;
      return [
        {
          id: getTextValue(getMember(setting, "id")) ?? "",
          type,
          file,
          offset,
          fallbackText: readSettingText(defaultValue),
        },
      ];
    });
}

/** File of a JSON fragment, and offset of the fragment in the file. */
type FragmentSource = Pick<KnownSchema, "file" | "baseOffset">;

/**
 * Checks a section or block in a JSON template, and all blocks inside it.  @param node parsed JSON of the section or
 * block
 */
function checkPlacement(
  node: JsonNode | undefined,
  source: FragmentSource,
  schema: KnownSchema | undefined,
  schemas: ReadonlyMap<string, KnownSchema>,
  onReference: ReferenceListener,
): void {
  if (schema === undefined) return;
  checkValues(getMember(node, "settings"), source, listSettings(schema.tree, schema), onReference);
  const knownBlocks = itemsOf(getMember(schema.tree, "blocks"));
  for (const { value } of listBlockEntries(getMember(node, "blocks"))) {
    const type = getTextValue(getMember(value, "type")) ?? "";
    const knownBlock = knownBlocks.findLast((block) => getTextValue(getMember(block, "type")) === type);
    checkValues(getMember(value, "settings"), source, listSettings(knownBlock, schema), onReference);
    checkPlacement(value, source, schemas.get(`blocks/${type}.liquid`), schemas, onReference);
  }
}

function checkValues(
  values: JsonNode | undefined,
  { file, baseOffset }: FragmentSource,
  settings: readonly SettingReference[],
  onReference: ReferenceListener,
): void {
  for (const setting of settings) {
    const value = getMember(values, setting.id);
    if (value === undefined) onReference(setting, setting, setting.fallbackText);
    else onReference({ file, offset: baseOffset + value.offset }, setting, readSettingText(value));
  }
}

/** Returns a setting's value as a string. The strings of a list are joined with line breaks. */
function readSettingText(value: JsonNode | undefined): string {
  return value?.type === "array" ? itemsOf(value).map(readSettingText).join("\n") : (getTextValue(value) ?? "");
}

const otherReferenceTypes = new Set(["link_list", "image_picker", "url"]);
