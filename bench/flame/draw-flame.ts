import type { Call } from "./call-tree.ts";

const width = 1_200;
const rowHeight = 17;
const top = 64;
/** Minimum share of the total time for a box, and for its label. */
const leastShare = 0.002;
/** Approximate width of a letter in pixels. */
const letter = 6.1;
/** Maximum number of levels. */
const maxDepth = 40;

/**
 * Draws a flame graph. Each box is a function, as wide as its CPU time including its calls, which are below it. The
 * graph is readable on light and dark pages, and each box has a tooltip.
 * @returns an SVG
 */
export function drawFlame(title: string, root: Call): string {
  const boxes: string[] = [];
  const depth = draw(root, 0, 0, root.total, boxes);
  const height = top + (depth + 1) * rowHeight + 10;
  const legend = [...colours].map(
    ([name, colour], index) =>
      `<rect x="${10 + index * 130}" y="38" width="12" height="12" fill="${colour}"/><text x="${27 + index * 130}" y="48">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="11">
<title id="title">${escaped(title)}</title>
<style>text{fill:#6e7781}g text{fill:#1f2328;pointer-events:none}.title{font-size:16px;font-weight:600}@media (prefers-color-scheme:dark){text{fill:#9ea7b3}}</style>
<text class="title" x="10" y="24">${escaped(title)}</text>
${legend.join("")}
${boxes.join("\n")}
</svg>
`;
}

/** Draws a box and the boxes of its calls.  @returns the deepest level */
function draw(call: Call, level: number, from: number, all: number, boxes: string[]): number {
  const x = round((from / all) * width);
  const wide = round((call.total / all) * width);
  const y = top + level * rowHeight;
  const percent = (part: number): string => `${((part / all) * 100).toFixed(1)} %`;
  const label = `${escaped(call.name)}: ${percent(call.total)}, ${percent(call.self)} itself`;
  const letters = Math.floor((wide - 6) / letter);
  const text =
    letters < 4 ? "" : `<text x="${round(x + 3)}" y="${y + 12}">${escaped(call.name.slice(0, letters))}</text>`;
  boxes.push(
    `<g><title>${label}</title><rect x="${x}" y="${y}" width="${Math.max(0.5, round(wide - 0.5))}" height="${rowHeight - 1}" fill="${colourOf(call.place)}"/>${text}</g>`,
  );
  if (level === maxDepth) return level;
  let deepest = level;
  let at = from;
  for (const child of [...call.calls.values()].sort((one, other) => other.total - one.total)) {
    if (child.total / all >= leastShare) deepest = Math.max(deepest, draw(child, level + 1, at, all, boxes));
    at += child.total;
  }
  return deepest;
}

/** Colors by owner of the code. */
const colours: ReadonlyMap<string, string> = new Map([
  ["search", "#f2a65a"],
  ["http", "#7fb7e6"],
  ["theme", "#8fcf9f"],
  ["cart", "#d7a6d9"],
  ["other code", "#d9cf7a"],
  ["packages", "#c7b8a3"],
  ["node", "#b9c0c7"],
  ["v8", "#e59a9a"],
]);

const folders: Readonly<Record<string, string>> = {
  "packages/search": "search",
  "packages/liquid": "theme",
  "src/predictive-search": "search",
  "src/http": "http",
  "src/theme": "theme",
  "src/cart": "cart",
  "src/pricing": "cart",
};

function colourOf(place: string): string {
  const kind = /^(?:src|packages)\//.test(place) ? (folders[place] ?? "other code") : place;
  return colours.get(kind) ?? colours.get("packages") ?? "#999";
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
