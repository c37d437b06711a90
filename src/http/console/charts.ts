import { type Markup, markup } from "./markup.ts";

/** One colored segment of a stacked bar. */
export interface BarSegment {
  readonly label: string;
  readonly value: number;
  /** Index of the color in the palette, from 0 to 5. */
  readonly color: number;
}

const BAR_WIDTH = 400;
const BAR_HEIGHT = 14;

/**
 * Renders a stacked bar. The sum of the parts is its length. Screen readers skip it, because the same values follow as
 * text.
 * @param maximum value of the longest bar
 */
export function renderStackedBar(parts: readonly BarSegment[], maximum: number): Markup {
  let x = 0;
  const shapesMarkup = parts
    .filter(({ value }) => value > 0)
    .map(({ label, value, color }) => {
      const width = maximum > 0 ? (value / maximum) * BAR_WIDTH : 0;
      const rect = markup`<rect x="${x.toFixed(1)}" width="${Math.max(0.5, width - 1).toFixed(1)}" height="${BAR_HEIGHT}" class="part${color}"><title>${label}</title></rect>`;
      x += width;
      return rect;
    });
  return markup`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${shapesMarkup}</svg>`;
}

/** Renders a column chart. In each column, the share `part` of the value `total` has a different color. */
export function renderColumns(
  values: readonly { readonly label: string; readonly total: number; readonly part: number }[],
): Markup {
  const maxTotal = Math.max(1, ...values.map(({ total }) => total));
  const [step, height] = [20, 60];
  const shapesMarkup = values.map(({ label, total, part }, index) => {
    const renderColumn = (value: number, className: string): Markup => {
      const barHeight = (value / maxTotal) * height;
      return markup`<rect x="${index * step + 2}" y="${(height - barHeight).toFixed(1)}" width="${step - 4}" height="${barHeight.toFixed(1)}" class="${className}"/>`;
    };
    return markup`<g><title>${label}</title>${renderColumn(total, "part0")}${renderColumn(part, "part3")}</g>`;
  });
  return markup`<svg class="columns" viewBox="0 0 ${values.length * step} ${height}" aria-hidden="true">${shapesMarkup}</svg>`;
}
