import { createImageView } from "../../../catalog/presenters/presenter.ts";
import type { View } from "../../view.ts";
import { imageObject } from "../image.ts";
import { type ColorValue, colorObject } from "../settings/color.ts";
import { objectType, TemplateObject } from "../template-object.ts";
import { findColor, isColorOption } from "./color-names.ts";

interface Swatch {
  readonly color: ColorValue | undefined;
  /** URL of an image. */
  readonly src: string | undefined;
}

/**
 * Returns the color or image of an option value: from the setting `swatches`, else the color that the value names.
 * @param option the option's names in the default language and in the render's language
 * @param values the value's names in the same languages
 * @returns undefined if there is neither
 */
export function swatchObject(
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
  const color = colorObject(swatchValue);
  return new TemplateObject(swatchType, { color, src: color === undefined ? mediaPath(swatchValue) : undefined });
}

function mediaPath(name: string): string {
  return /^(?:\/|https?:)/.test(name) ? name : `/media/${encodeURI(name)}`;
}

const swatchType = objectType<Swatch>(
  "swatch",
  {
    color: ({ color }) => color,
    image: ({ src }) => (src === undefined ? undefined : imageObject(createImageView({ src }, ""))),
  },
  {},
  { fieldTypes: { color: "color", image: "image" } },
);
