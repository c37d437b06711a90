/** A line of a plot. */
export interface Series {
  readonly name: string;
  readonly color: string;
  readonly mark: "circle" | "square" | "triangle" | "diamond";
  /** Whether the line is thicker and its markers are filled. */
  readonly isOurs: boolean;
  /** Pairs of x and y, both above 0, with ascending x. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

/** Labels and units of a plot. */
export interface PlotLabels {
  readonly title: string;
  readonly x: string;
  /** Formats a value of the vertical axis with its unit. */
  formatY(value: number): string;
}

const width = 960;
const height = 460;
const top = 126;
const bottom = height - 62;
const panelLeft = 72;
const panelWidth = 360;
const panelGap = 84;
const legendColumns = 5;

/**
 * Draws panels side by side with the same logarithmic axes. They are readable on light and dark pages: transparent
 * background, gray text and lines.
 * @returns an SVG
 */
export function drawPlot(labels: PlotLabels, panels: readonly Panel[]): string {
  const { title } = labels;
  const points = panels.flatMap(({ series }) => series.flatMap((one) => one.points));
  const xs = powersOfTen(points.map(([x]) => x));
  const ys = powersOfTen(points.map(([, y]) => y));
  const parts = panels.map((panel, index) => {
    const panelX = panelLeft + index * (panelWidth + panelGap);
    const x = scale(xs, panelX + 16, panelX + panelWidth - 16);
    const y = scale(ys, bottom, top);
    return drawPanel(panel, { panelX, xs, ys, x, y, labels });
  });
  const names = new Map(panels.flatMap(({ series }) => series.map((one) => [one.name, one] as const)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">
<title id="title">${escapeHtml(title)}</title>
<desc id="description">${escapeHtml(describe(panels, labels))}</desc>
<style>text{fill:#6e7781}.title{font-size:17px;font-weight:600}.panel{font-weight:600;font-size:14px}.grid{stroke:#8c959f;stroke-opacity:.3}.axis{stroke:#8c959f}@media (prefers-color-scheme:dark){text{fill:#9ea7b3}}</style>
<text class="title" x="${panelLeft}" y="28">${escapeHtml(title)}</text>
${[...names.values()].map(drawLegend).join("\n")}
${parts.join("\n")}
</svg>
`;
}

type Scale = (value: number) => number;

interface Axes {
  readonly panelX: number;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly x: Scale;
  readonly y: Scale;
  readonly labels: PlotLabels;
}

function drawPanel({ title, series }: Panel, { panelX, xs, ys, x, y, labels }: Axes): string {
  const panelRight = panelX + panelWidth;
  const lines = ys.map((value) => {
    const at = round(y(value));
    return `<line class="grid" x1="${panelX}" x2="${panelRight}" y1="${at}" y2="${at}"/><text x="${panelX - 8}" y="${at + 4}" text-anchor="end">${labels.formatY(value)}</text>`;
  });
  const ticks = xs.map(
    (value) => `<text x="${round(x(value))}" y="${bottom + 20}" text-anchor="middle">${formatCount(value)}</text>`,
  );
  return `<g>
<text class="panel" x="${panelX}" y="${top - 14}">${escapeHtml(title)}</text>
${lines.join("\n")}
<line class="axis" x1="${panelX}" x2="${panelRight}" y1="${bottom}" y2="${bottom}"/>
${ticks.join("\n")}
<text x="${panelX + panelWidth / 2}" y="${bottom + 44}" text-anchor="middle">${escapeHtml(labels.x)}</text>
${series.map((one) => drawSeries(one, x, y, labels)).join("\n")}
</g>`;
}

function drawSeries({ points, color, mark, isOurs, name }: Series, x: Scale, y: Scale, labels: PlotLabels): string {
  const pixels = points.map(([px, py]) => [round(x(px)), round(y(py))] as const);
  const path = pixels.map(([px, py]) => `${px},${py}`).join(" ");
  const marks = pixels.map(([px, py], index) => {
    const [products = 0, value = 0] = points[index] ?? [];
    return `<g><title>${escapeHtml(name)}, ${formatCount(products)}: ${labels.formatY(value)}</title>${drawMark(mark, px, py, color)}</g>`;
  });
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="${isOurs ? 3.5 : 2}"/>\n${marks.join("")}`;
}

function drawMark(mark: Series["mark"], x: number, y: number, color: string): string {
  const r = 5.5;
  const shape = (corners: string): string => `<polygon points="${corners}" fill="${color}"/>`;
  if (mark === "circle") return `<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/>`;
  if (mark === "square") return `<rect x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}" fill="${color}"/>`;
  if (mark === "triangle") return shape(`${x},${y - 7} ${x + 7},${y + 5} ${x - 7},${y + 5}`);
  return shape(`${x},${y - 7} ${x + 7},${y} ${x},${y + 7} ${x - 7},${y}`);
}

function drawLegend({ name, color, mark, isOurs }: Series, index: number): string {
  const x = panelLeft + 8 + (index % legendColumns) * 170;
  const y = 56 + Math.floor(index / legendColumns) * 24;
  return `<line x1="${x - 12}" x2="${x + 12}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="${isOurs ? 3.5 : 2}"/>${drawMark(mark, x, y, color)}<text x="${x + 20}" y="${y + 4.5}">${escapeHtml(name)}</text>`;
}

/** Returns powers of ten that enclose all values, for the ticks of an axis. */
function powersOfTen(values: readonly number[]): readonly number[] {
  const from = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
}

function scale(ticks: readonly number[], from: number, to: number): Scale {
  const minLog = Math.log10(ticks[0] ?? 1);
  const maxLog = Math.log10(ticks.at(-1) ?? 10);
  return (value) => from + ((Math.log10(value) - minLog) / (maxLog - minLog)) * (to - from);
}

/** Returns a description of the plot for screen readers. */
function describe(panels: readonly Panel[], { formatY }: PlotLabels): string {
  return panels
    .map(({ title, series }) => {
      const lines = series.map(
        ({ name, points }) => `${name}: ${points.map(([x, y]) => `${formatY(y)} at ${formatCount(x)}`).join(", ")}`,
      );
      return `${title}: ${lines.join("; ")}.`;
    })
    .join(" ");
}

/** Formats a number as a short label. */
export function formatCount(value: number): string {
  return value < 1 ? String(Number(value.toPrecision(3))) : Math.round(value).toLocaleString("en");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
