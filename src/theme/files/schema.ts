import { type BlockPlacement, parseJson, requireObject, type SectionPlacement } from "./json-template.ts";

/** A setting of a section, a block or the theme. */
export interface SettingSchema {
  readonly id: string;
  /** Type of the input: "text", "checkbox", "collection" ... */
  readonly type: string;
  readonly default: unknown;
  /** Settings of each color scheme, if this setting contains color schemes. */
  readonly definition?: readonly SettingSchema[];
}

/** The part of `{% schema %}` that rendering needs. */
export interface SectionSchema {
  readonly settings: readonly SettingSchema[];
  /** Settings by block type. A block type with a file in `blocks/` has its settings in that file instead. */
  readonly blocks: ReadonlyMap<string, readonly SettingSchema[]>;
  /** Whether the section or block accepts all blocks in the folder `blocks/`. */
  readonly acceptsThemeBlocks: boolean;
  /** HTML element around a block of the folder `blocks/`. Undefined means no element. */
  readonly tag?: string;
  /** Class of the element around a block. */
  readonly className?: string;
  /** Default settings and blocks of a section that no JSON template contains. */
  readonly initialContent: Pick<SectionPlacement, "settings" | "blocks">;
  /** Translations in the schema, by locale. Each value has the structure of a locale file. */
  readonly locales: Readonly<Record<string, unknown>>;
}

export const emptySchema: SectionSchema = {
  settings: [],
  blocks: new Map(),
  acceptsThemeBlocks: false,
  tag: "div",
  initialContent: { settings: {}, blocks: [] },
  locales: {},
};

/**
 * Parses the body of `{% schema %}`.
 * @param line number of lines in the file before the text, for line numbers in error messages
 * @throws Error with the line in the file
 */
export function parseSchema(text: string, line = 0): SectionSchema {
  const root = requireObject(parseJson("\n".repeat(line) + text), "schema");
  const blocks = new Map<string, readonly SettingSchema[]>();
  for (const value of toArray(root.blocks)) {
    const block = requireObject(value, "a block of the schema");
    blocks.set(String(block.type), parseSettings(block.settings));
  }
  const initialContent = requireObject(root.default ?? {}, "default");
  const tag = root.tag === null ? undefined : typeof root.tag === "string" && root.tag !== "" ? root.tag : "div";
  if (tag !== undefined && !/^[a-z][a-z0-9-]*$/i.test(tag)) throw new Error(`tag "${tag}": expected an element's name`);
  return {
    settings: parseSettings(root.settings),
    blocks,
    acceptsThemeBlocks: blocks.has("@theme"),
    ...(tag === undefined ? {} : { tag }),
    ...(typeof root.class === "string" ? { className: root.class } : {}),
    initialContent: {
      settings: requireObject(initialContent.settings ?? {}, "settings of default"),
      blocks: toArray(initialContent.blocks).map((value, position) => parseInitialBlock(value, position)),
    },
    locales: requireObject(root.locales ?? {}, "locales"),
  };
}

/**
 * Parses the settings of the theme and their defaults, from `config/settings_schema.json`.
 * @throws Error if the file is invalid
 */
export function parseThemeSettings(text: string): SettingSchema[] {
  return toArray(parseJson(text)).flatMap((group) =>
    parseSettings(requireObject(group, "a group of settings").settings),
  );
}

/** Parses the theme's name in `config/settings_schema.json`.  @throws Error if the file is invalid */
export function parseThemeName(text: string): string {
  for (const group of toArray(parseJson(text))) {
    const { theme_name: name } = requireObject(group, "a group of settings");
    if (typeof name === "string") return name;
  }
  return "";
}

function parseInitialBlock(value: unknown, position: number): BlockPlacement {
  const block = requireObject(value, "a block of default");
  const settings = requireObject(block.settings ?? {}, "settings of a block of default");
  return { id: `block-${position + 1}`, type: String(block.type), settings, blocks: [], isStatic: false };
}

function parseSettings(value: unknown): SettingSchema[] {
  const settings: SettingSchema[] = [];
  for (const entry of toArray(value)) {
    const setting = requireObject(entry, "a setting");
    if (typeof setting.id !== "string") continue;
    settings.push({
      id: setting.id,
      type: String(setting.type),
      default: setting.default ?? getImplicitDefault(setting),
      ...(setting.definition === undefined ? {} : { definition: parseSettings(setting.definition) }),
    });
  }
  return settings;
}

/** Returns the value that theme editors preselect for a setting without a default. */
function getImplicitDefault({ type, options }: Readonly<Record<string, unknown>>): unknown {
  if (type === "text_alignment") return "left";
  if (type !== "select" && type !== "radio") return undefined;
  const [firstOption] = toArray(options);
  return firstOption === undefined ? undefined : requireObject(firstOption, "an option of a setting").value;
}

/** Returns an array unchanged, and no elements for other values. */
export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a setting's default contains several languages, as in older schemas: `{ "en": "Sale", "fr": "Soldes" }`. */
export function hasLanguageKeys(keys: readonly string[]): boolean {
  return keys.every((key) => /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(key));
}
