import { join } from "node:path";
import * as v from "valibot";
import { readOptionalText } from "../not-found.ts";
import { SetupError } from "../setup-error.ts";
import { type Config, compatModeSchema, menusSchema } from "./settings.ts";
import { defineGroup, textSchema } from "./value-kinds.ts";

/** Path of the settings file in the folder of a theme. */
export const THEME_SETTINGS_FILE = "config/vitrine.json";

/** Settings that apply to one theme. They are in a file of the theme. */
const themeSettingsSchema = defineGroup({
  compat: v.optional(compatModeSchema),
  menus: v.optional(menusSchema, {}),
  themePreset: v.optional(textSchema),
});

/** Settings of a theme, as written in its file. */
export type ThemeSettings = v.InferInput<typeof themeSettingsSchema>;

/**
 * Combines the settings of a store with those of a theme. The theme's `compat` replaces the store's `compat`. The
 * theme's menus are added to the store's menus. The store's preset does not apply to a theme that sets `compat`,
 * because such a theme has different presets.
 * @param themeDir folder of the theme, which may not exist
 * @throws SetupError if the file is invalid
 */
export function addThemeSettings(config: Config, themeDir: string): Config {
  const file = join(themeDir, THEME_SETTINGS_FILE);
  const text = readOptionalText(file);
  if (text === undefined) return config;
  const result = v.safeParse(themeSettingsSchema, parseJson(file, text));
  if (!result.success) {
    const [issue] = result.issues;
    const name = issue.path?.map(({ key }) => String(key)).join(".") ?? "the file";
    throw new SetupError(`${file}: ${name} ${issue.message}. Correct the file.`);
  }
  const { compat, menus, themePreset = compat === undefined ? config.themePreset : undefined } = result.output;
  const mode = compat === undefined ? {} : { compat };
  return { ...config, ...mode, themePreset, menus: { ...menus, ...config.menus } };
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SetupError(`${file}: ${error instanceof Error ? error.message : String(error)}. Correct the file.`);
  }
}
