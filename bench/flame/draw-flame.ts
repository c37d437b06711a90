import { escapeHtml } from "../../packages/search/bench/plot/draw.ts";
import type { Call } from "./call-tree.ts";

const width = 1_200;
const rowHeight = 17;
const top = 64;
/** Minimum share of the total time for a box, and for its label. */
const minShare = 0.002;
/** Approximate width of a letter in pixels. */
const letterWidth = 6.1;
/** Maximum number of levels. */
const maxDepth = 40;

/**
 * Draws a flame graph. Each box is a function, as wide as its CPU time including its calls, which are below it. The
 * graph is readable on light and dark pages, and each box has a tooltip.
 * @returns an SVG
 */
export function drawFlame(title: string, root: Call): string {
  const boxes: string[] = [];
  const depth = drawCall(root, 0, 0, root.total, boxes);
  const height = top + (depth + 1) * rowHeight + 10;
  const legend = [...colorsByOwner].map(
    ([name, colour], index) =>
      `<rect x="${10 + index * 130}" y="38" width="12" height="12" fill="${colour}"/><text x="${27 + index * 130}" y="48">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="11">
<title id="title">${escapeHtml(title)}</title>
<style>text{fill:#6e7781}g text{fill:#1f2328;pointer-events:none}.title{font-size:16px;font-weight:600}@media (prefers-color-scheme:dark){text{fill:#9ea7b3}}</style>
<text class="title" x="10" y="24">${escapeHtml(title)}</text>
${legend.join("")}
${boxes.join("\n")}
</svg>
`;
}

/** Draws a box and the boxes of its calls.  @returns the deepest level */
function drawCall(call: Call, level: number, start: number, rootTotal: number, boxes: string[]): number {
  const x = round((start / rootTotal) * width);
  const boxWidth = round((call.total / rootTotal) * width);
  const y = top + level * rowHeight;
  const percent = (part: number): string => `${((part / rootTotal) * 100).toFixed(1)} %`;
  const label = `${escapeHtml(call.name)}: ${percent(call.total)}, ${percent(call.self)} itself`;
  const maxLetters = Math.floor((boxWidth - 6) / letterWidth);
  const text =
    maxLetters < 4
      ? ""
      : `<text x="${round(x + 3)}" y="${y + 12}">${escapeHtml(call.name.slice(0, maxLetters))}</text>`;
  boxes.push(
    `<g><title>${label}</title><rect x="${x}" y="${y}" width="${Math.max(0.5, round(boxWidth - 0.5))}" height="${rowHeight - 1}" fill="${colorOf(call.owner)}"/>${text}</g>`,
  );
  if (level === maxDepth) return level;
  let deepestLevel = level;
  let x0 = start;
  for (const child of [...call.calls.values()].sort((left, right) => right.total - left.total)) {
    if (child.total / rootTotal >= minShare)
      deepestLevel = Math.max(deepestLevel, drawCall(child, level + 1, x0, rootTotal, boxes));
    x0 += child.total;
  }
  return deepestLevel;
}

/** Colors by owner of the code. */
const colorsByOwner: ReadonlyMap<string, string> = new Map([
  ["search", "#f2a65a"],
  ["http", "#7fb7e6"],
  ["theme", "#8fcf9f"],
  ["cart", "#d7a6d9"],
  ["other code", "#d9cf7a"],
  ["packages", "#c7b8a3"],
  ["node", "#b9c0c7"],
  ["v8", "#e59a9a"],
]);

const ownersByFolder: Readonly<Record<string, string>> = {
  "packages/search": "search",
  "packages/liquid": "theme",
  "src/predictive-search": "search",
  "src/http": "http",
  "src/theme": "theme",
  "src/cart": "cart",
  "src/pricing": "cart",
};

function colorOf(owner: string): string {
  const kind = /^(?:src|packages)\//.test(owner) ? (ownersByFolder[owner] ?? "other code") : owner;
  return colorsByOwner.get(kind) ?? colorsByOwner.get("packages") ?? "#999";
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
