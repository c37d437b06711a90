/** Channels of an sRGB color, from 0 to 255. */
interface Channels {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** Formats lightness, chroma, and hue of a color, separated by spaces: "62.8% 0.258 29.2". */
export function formatOklch(color: Channels): string {
  const { lightness, chroma, hue } = toOklch(color);
  return `${(lightness * 100).toFixed(1)}% ${chroma.toFixed(3)} ${hue.toFixed(1)}`;
}

/** Converts a color to OKLCH, using the standard matrices of the OKLab color space. */
export function toOklch(color: Channels): { lightness: number; chroma: number; hue: number } {
  const [r, g, b] = [toLinearLight(color.red), toLinearLight(color.green), toLinearLight(color.blue)];
  const longConeResponse = Math.cbrt(0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_99 * b);
  const mediumConeResponse = Math.cbrt(0.211_903_5 * r + 0.680_699_55 * g + 0.107_396_96 * b);
  const shortConeResponse = Math.cbrt(0.088_302_46 * r + 0.281_718_84 * g + 0.629_978_7 * b);
  const lightness =
    0.210_454_26 * longConeResponse + 0.793_617_79 * mediumConeResponse - 0.004_072_05 * shortConeResponse;
  const greenRedAxis =
    1.977_998_5 * longConeResponse - 2.428_592_2 * mediumConeResponse + 0.450_593_71 * shortConeResponse;
  const blueYellowAxis =
    0.025_904_04 * longConeResponse + 0.782_771_77 * mediumConeResponse - 0.808_675_77 * shortConeResponse;
  const hue = (Math.atan2(blueYellowAxis, greenRedAxis) * 180) / Math.PI;
  return { lightness, chroma: Math.hypot(greenRedAxis, blueYellowAxis), hue: hue < 0 ? hue + 360 : hue };
}

/** Converts an sRGB channel (0 to 255) to linear light (0 to 1). */
export function toLinearLight(channel: number): number {
  const fraction = channel / 255;
  return fraction <= 0.040_45 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4;
}
