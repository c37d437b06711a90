import { findColor, isColorOption } from "../../../catalog/color-names.ts";
import { createImageView } from "../../../catalog/presenters/presenter.ts";
import type { View } from "../../view.ts";
import { createImageObject } from "../image.ts";
import { type ColorValue, parseColorObject } from "../settings/color.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";

interface Swatch {
  readonly color: ColorValue | undefined;
  /** URL of an image. */
  readonly src: string | undefined;
}

/**
 * Returns the color or image for an option value. The setting `swatches` takes precedence over the color that the
 * value's name contains.
 * @param option names of the option in the default language and in the page's language
 * @param values names of the value in the same languages
 * @returns undefined if neither exists
 */
export function createSwatchObject(
  { config }: Pick<View, "config">,
  option: readonly string[],
  values: readonly string[],
): TemplateObject<Swatch> | undefined {
  const names = values.map((value) => value.toLowerCase());
  const [, configuredSwatch] =
    Object.entries(config.swatches).find(([value]) => names.includes(value.toLowerCase())) ?? [];
  const swatchValue =
    configuredSwatch ??
    (option.some(isColorOption) ? values.map(findColor).find((color) => color !== undefined) : undefined);
  if (swatchValue === undefined) return undefined;
  const color = parseColorObject(swatchValue);
  return new TemplateObject(swatchType, { color, src: color === undefined ? formatMediaPath(swatchValue) : undefined });
}

function formatMediaPath(name: string): string {
  return /^(?:\/|https?:)/.test(name) ? name : `/media/${encodeURI(name)}`;
}

const swatchType = createObjectType<Swatch>(
  "swatch",
  {
    color: ({ color }) => color,
    image: ({ src }) => (src === undefined ? undefined : createImageObject(createImageView({ src }, ""))),
  },
  {},
  { fieldTypes: { color: "color", image: "image" } },
);
