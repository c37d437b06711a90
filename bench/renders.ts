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
const turnTime = 60;
const turns = 9;

const { values: options } = parseArgs({
  options: { against: { type: "string" }, record: { type: "boolean", default: false } },
});
const here = fileURLToPath(new URL("..", import.meta.url));
const against = resolve(options.against ?? here);
const themes = process.env.VITRINE_THEMES ?? "";
const folders = existsSync(themes)
  ? readdirSync(themes, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
  : [];

const rows: string[][] = [];
for (const name of ["default", ...folders]) {
  const folder = name === "default" ? undefined : join(themes, name);
  const plain = timePlainSections(folder ?? join(here, "themes/default"));
  const [now, before] = [await openShopRenders(here, folder), await openShopRenders(against, folder)];
  const shop = await compare(name, now, before);
  await Promise.all([now.close(), before.close()]);
  const row = [
    name,
    `${plain.sections}`,
    `${plain.theirs.toFixed(0)} / ${plain.ours.toFixed(0)} µs`,
    plain.sections === 0 ? "none" : `${plain.median.toFixed(1)}, least ${plain.least.toFixed(1)}`,
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
  now: ShopRenders,
  before: ShopRenders,
): Promise<{ readonly now: number; readonly before: number; readonly ratio: number }> {
  const sums = { now: 0, before: 0 };
  const ratios: number[] = [];
  for (const [name, render] of Object.entries(now.renders)) {
    const other = before.renders[name];
    if (other === undefined || (await lengthOf(render)) === 0 || (await lengthOf(other)) === 0) continue;
    // The measured CPU time of 30 short renders can be 0.
    const count = Math.max(3, Math.round((turnTime * 1_000) / Math.max(1, await timeOf(render, 30))));
    const times = { now: [] as number[], before: [] as number[] };
    await timeOf(other, count);
    for (let turn = 0; turn < turns; turn += 1) {
      times.now.push(await timeOf(render, count));
      times.before.push(await timeOf(other, count));
    }
    const ratio = median(times.now.map((time, turn) => (times.before[turn] as number) / time));
    process.stdout.write(
      `  ${theme}, ${name}: ${median(times.before).toFixed(0)} -> ${median(times.now).toFixed(0)} µs, ${ratio.toFixed(2)}\n`,
    );
    sums.now += median(times.now);
    sums.before += median(times.before);
    ratios.push(ratio);
  }
  return { ...sums, ratio: median(ratios) };
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
