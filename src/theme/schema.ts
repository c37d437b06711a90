import { asObject, type Placement, withoutComments } from "./json-template.ts";

/** A setting of a section, a block or the theme. */
export interface SettingSchema {
  readonly id: string;
  /** "text", "checkbox", "collection" ... */
  readonly type: string;
  readonly default: unknown;
}

/** What `{% schema %}` says, as far as a render needs it. */
export interface SectionSchema {
  readonly settings: readonly SettingSchema[];
  /** Block type -> its settings. */
  readonly blocks: ReadonlyMap<string, readonly SettingSchema[]>;
  /** What a section that no template places shows. */
  readonly initial: Pick<Placement, "settings" | "blocks">;
}

export const emptySchema: SectionSchema = { settings: [], blocks: new Map(), initial: { settings: {}, blocks: [] } };

/** @throws Error that says what is wrong */
export function parseSchema(text: string): SectionSchema {
  const root = asObject(JSON.parse(text), "schema");
  const blocks = new Map<string, readonly SettingSchema[]>();
  for (const value of asList(root.blocks)) {
    const block = asObject(value, "a block of the schema");
    blocks.set(String(block.type), parseSettings(block.settings));
  }
  const initial = asObject(root.default ?? {}, "default");
  return {
    settings: parseSettings(root.settings),
    blocks,
    initial: {
      settings: asObject(initial.settings ?? {}, "settings of default"),
      blocks: asList(initial.blocks).map((value, position) => {
        const block = asObject(value, "a block of default");
        const settings = asObject(block.settings ?? {}, "settings of a block of default");
        return { id: `block-${position + 1}`, type: String(block.type), settings };
      }),
    },
  };
}

/** Defaults of the theme's own settings, from `config/settings_schema.json`. @throws Error that says what is wrong */
export function parseThemeSettings(text: string): SettingSchema[] {
  return asList(JSON.parse(withoutComments(text))).flatMap((group) =>
    parseSettings(asObject(group, "a group of settings").settings),
  );
}

function parseSettings(value: unknown): SettingSchema[] {
  const settings: SettingSchema[] = [];
  for (const entry of asList(value)) {
    const setting = asObject(entry, "a setting");
    if (typeof setting.id === "string")
      settings.push({ id: setting.id, type: String(setting.type), default: setting.default });
  }
  return settings;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
