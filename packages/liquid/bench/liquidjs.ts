// Compares the rendering speed of templates with LiquidJS. `plain-sections.ts` describes the templates.
//   node packages/liquid/bench/liquidjs.ts [--record] [<name of a theme>=<folder> ...]
// Default: the default theme of the repository.

import { fileURLToPath } from "node:url";
import { recordRows, today } from "../../../bench/results.ts";
import { timePlainSections } from "./plain-sections.ts";

const themeArguments = process.argv.slice(2).filter((argument) => argument !== "--record");
const themes =
  themeArguments.length > 0
    ? themeArguments
    : [`default=${fileURLToPath(new URL("../../../themes/default", import.meta.url))}`];

const rows: string[][] = [];
for (const argument of themes) {
  const [name = "", folder = ""] = argument.split("=");
  const { sections, otherSections: others, ours, theirs, median, minRatio: least } = timePlainSections(folder);
  process.stdout.write(
    `${name}: ${sections} sections (${others} others differ in output): ${ours.toFixed(0)} µs, LiquidJS ${theirs.toFixed(0)} µs: ` +
      `${(theirs / ours).toFixed(1)} times as fast, median section ${median.toFixed(1)}, smallest ${least.toFixed(1)}\n`,
  );
  rows.push([
    name,
    `${sections}`,
    `${ours.toFixed(0)} µs`,
    `${theirs.toFixed(0)} µs`,
    median.toFixed(1),
    least.toFixed(1),
  ]);
}
if (process.argv.includes("--record"))
  recordRows(
    "## liquidjs.ts",
    rows.map((row) => [...today(), ...row]),
    new URL("./results.md", import.meta.url),
  );
