import type { SettingSchema } from "../../files/schema.ts";
import type { View } from "../../view.ts";
import { Listing } from "../listing.ts";
import { createObjectType, Lookup, TextObject } from "../template-object.ts";

interface ColorScheme {
  readonly view: View;
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly definition: readonly SettingSchema[];
}

/**
 * Creates the object that contains the theme's color schemes by id. A loop over it visits the schemes.
 * @param value schemes by id, each `{ settings }`
 */
export function createColorSchemesObject(view: View, value: unknown, definition: readonly SettingSchema[]): Lookup {
  const schemes = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const createColorScheme = (id: string): TextObject<ColorScheme> | undefined => {
    const scheme: unknown = schemes.get(id);
    if (typeof scheme !== "object" || scheme === null) return undefined;
    const values = "settings" in scheme && typeof scheme.settings === "object" ? { ...scheme.settings } : {};
    return new TextObject(schemeType, { view, id, values, definition }, id);
  };
  const ids = [...schemes.keys()];
  const listing = new Listing(
    () => ids.length,
    (offset, limit) => ids.slice(offset, offset + limit).map(createColorScheme),
  );
  return new Lookup(createColorScheme, listing);
}

/** Creates a color scheme object, which prints its id. An unknown id selects the first scheme. */
export function createColorSchemeObject(view: View, id: string): unknown {
  const group = view.theme.settings.find(({ type }) => type === "color_scheme_group");
  if (group === undefined) return id;
  const schemes = createColorSchemesObject(view, view.theme.values[group.id] ?? group.default, group.definition ?? []);
  return schemes.field(id) ?? schemes.field("first") ?? id;
}

const schemeType = createObjectType<ColorScheme>(
  "color_scheme",
  {
    id: ({ id }) => id,
    settings: ({ view, values, definition }) => view.objects.settings(view, definition, values),
  },
  {},
  { fieldTypes: { settings: "settings" }, identity: ({ id }) => id },
);
