// How fast are templates rendered, beside LiquidJS? See `liquid/plain-sections.ts` for what is rendered.
//   node bench/liquid.ts [--record] <name of a theme>=<folder> …
// Without folders: the default theme. `renders.ts` shows the same beside what a shop renders.

import { fileURLToPath } from "node:url";
import { timePlainSections } from "./liquid/plain-sections.ts";
import { recordRows, today } from "./results.ts";

const given = process.argv.slice(2).filter((argument) => argument !== "--record");
const themes = given.length > 0 ? given : [`default=${fileURLToPath(new URL("../themes/default", import.meta.url))}`];

const rows: string[][] = [];
for (const argument of themes) {
  const [name = "", folder = ""] = argument.split("=");
  const { sections, others, ours, theirs, median, least } = timePlainSections(folder);
  process.stdout.write(
    `${name}: ${sections} sections (${others} are read or printed otherwise): ${ours.toFixed(0)} µs, LiquidJS ${theirs.toFixed(0)} µs: ` +
      `${(theirs / ours).toFixed(1)} times as fast, the median section ${median.toFixed(1)}, the least ${least.toFixed(1)}\n`,
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
    "## liquid.ts",
    rows.map((row) => [...today(), ...row]),
  );
