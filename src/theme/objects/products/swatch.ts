import { shownImage } from "../../../catalog/presenters/image.ts";
import type { View } from "../../view.ts";
import { imageObject } from "../image.ts";
import { type ColorValue, colorObject } from "../settings/color.ts";
import { objectType, TemplateObject } from "../template-object.ts";
import { colorNamed, isColorOption } from "./color-names.ts";

interface Swatch {
  readonly color: ColorValue | undefined;
  /** Address of a picture. */
  readonly src: string | undefined;
}

/** The color or picture of an option's value: what the setting `swatches` says of it, else the color that it names.
 *  @param option the option's names, @param values the value's: in the default language and in the render's
 *  @returns undefined where neither is known */
export function swatchObject(
  { config }: Pick<View, "config">,
  option: readonly string[],
  values: readonly string[],
): TemplateObject<Swatch> | undefined {
  const wanted = values.map((value) => value.toLowerCase());
  const [, set] = Object.entries(config.swatches).find(([value]) => wanted.includes(value.toLowerCase())) ?? [];
  const named =
    set ?? (option.some(isColorOption) ? values.map(colorNamed).find((one) => one !== undefined) : undefined);
  if (named === undefined) return undefined;
  const color = colorObject(named);
  return new TemplateObject(swatchType, { color, src: color === undefined ? mediaPath(named) : undefined });
}

function mediaPath(name: string): string {
  return /^(?:\/|https?:)/.test(name) ? name : `/media/${encodeURI(name)}`;
}

const swatchType = objectType<Swatch>(
  "swatch",
  {
    color: ({ color }) => color,
    image: ({ src }) => (src === undefined ? undefined : imageObject(shownImage({ src }, ""))),
  },
  {},
  { returns: { color: "color", image: "image" } },
);
