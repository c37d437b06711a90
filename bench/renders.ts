// Measures the speed of Liquid rendering. For each theme, LiquidJS and our engine render its sections with plain data.
// This checkout and another one, which may use another engine, render pages, suggestions and the cart drawer of the
// demo store.
//   VITRINE_THEMES=<folder with one theme per folder> node bench/renders.ts [--against <folder of another checkout>] [--record]
// The first theme is the theme of the demo store. Engines take turns in one process. Times are CPU times of the thread,
// and a ratio is the median of the ratios of all turns.
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median, timePlainSections } from "../packages/liquid/bench/plain-sections.ts";
import { openShopRenders, type ShopRenders } from "./liquid/shop-renders.ts";
import { recordRows, today } from "./results.ts";

/** Milliseconds of a turn, and number of turns per page. */
const turnMs = 60;
const turnCount = 9;

const { values: options } = parseArgs({
  options: { against: { type: "string" }, record: { type: "boolean", default: false } },
});
const rootFolder = fileURLToPath(new URL("..", import.meta.url));
const otherCheckout = resolve(options.against ?? rootFolder);
const themes = process.env.VITRINE_THEMES ?? "";
const folders = existsSync(themes)
  ? readdirSync(themes, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  : [];

const rows: string[][] = [];
for (const name of ["default", ...folders]) {
  const folder = name === "default" ? undefined : join(themes, name);
  const plainTimes = timePlainSections(folder ?? join(rootFolder, "themes/default"));
  const [currentRenders, otherRenders] = [
    await openShopRenders(rootFolder, folder),
    await openShopRenders(otherCheckout, folder),
  ];
  const shop = await compare(name, currentRenders, otherRenders);
  await Promise.all([currentRenders.close(), otherRenders.close()]);
  const row = [
    name,
    `${plainTimes.sections}`,
    `${plainTimes.theirs.toFixed(0)} / ${plainTimes.ours.toFixed(0)} µs`,
    plainTimes.sections === 0 ? "none" : `${plainTimes.median.toFixed(1)}, least ${plainTimes.minRatio.toFixed(1)}`,
    `${shop.before.toFixed(0)} / ${shop.now.toFixed(0)} µs`,
    `${shop.ratio.toFixed(2)}`,
  ];
  rows.push([...today(), ...row]);
  process.stdout.write(`| ${row.join(" | ")} |\n`);
}
if (options.record) recordRows("## renders.ts:", rows);

/**
 * Returns the sum of microseconds of one render each, and the median speedup. Sections that a theme lacks are omitted.
 */
async function compare(
  theme: string,
  currentRenders: ShopRenders,
  otherRenders: ShopRenders,
): Promise<{ readonly now: number; readonly before: number; readonly ratio: number }> {
  const totals = { now: 0, before: 0 };
  const ratios: number[] = [];
  for (const [name, render] of Object.entries(currentRenders.renders)) {
    const otherRender = otherRenders.renders[name];
    if (otherRender === undefined || (await lengthOf(render)) === 0 || (await lengthOf(otherRender)) === 0) continue;
    // The measured CPU time of 30 short renders can be 0.
    const count = Math.max(3, Math.round((turnMs * 1_000) / Math.max(1, await timeOf(render, 30))));
    const times = { now: [] as number[], before: [] as number[] };
    await timeOf(otherRender, count);
    for (let turn = 0; turn < turnCount; turn += 1) {
      times.now.push(await timeOf(render, count));
      times.before.push(await timeOf(otherRender, count));
    }
    const ratio = median(times.now.map((time, turn) => (times.before[turn] as number) / time));
    process.stdout.write(
      `  ${theme}, ${name}: ${median(times.before).toFixed(0)} -> ${median(times.now).toFixed(0)} µs, ${ratio.toFixed(2)}\n`,
    );
    totals.now += median(times.now);
    totals.before += median(times.before);
    ratios.push(ratio);
  }
  return { ...totals, ratio: median(ratios) };
}

/** Returns the number of characters, or 0 if the theme has no such section. */
async function lengthOf(render: () => Promise<string>): Promise<number> {
  return render().then(
    (html) => html.length,
    () => 0,
  );
}

/** Returns the CPU microseconds of one render. */
async function timeOf(render: () => Promise<string>, count: number): Promise<number> {
  const start = process.threadCpuUsage();
  for (let number = 0; number < count; number += 1) await render();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / count;
}
