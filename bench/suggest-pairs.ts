// Compares responses with suggestions between this checkout and another one: the bytes, then the processor time. Both
// run in one process without sockets, from the request line to the body, and get the same keystrokes in turns.
//   VITRINE_DATA=… node bench/suggest-pairs.ts --against <folder of another checkout> [--catalogue products-100k]
//     [--texts 4000] [--rounds 5] [--compare 2000] [--section] [--rules] [--store <folder>] [--record]
// --compare is the number of keystrokes whose responses must be equal, for several combinations of parameters. --store
// names a folder that later runs reuse. Times are CPU times of the process, including garbage collection. A ratio is the
// time of the other checkout over that of this one. --section measures the theme's section instead of JSON.
// --rules adds search rules, most of which apply to no keystroke.
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type * as AppModule from "../src/app.ts";
import type * as PipelineModule from "../src/http/pipeline.ts";
import type * as RoutesModule from "../src/http/routes.ts";
import type { ByteString } from "../src/http/wire/byte-string.ts";
import { type CatalogueName, catalogueFile, catalogues, isCatalogueName } from "./catalogs.ts";
import { typedTexts } from "./http/queries.ts";
import { createRandom } from "./random.ts";
import { recordRows, today } from "./results.ts";
import { openLargeStore, percentile } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    against: { type: "string" },
    catalogue: { type: "string", default: "products-100k" },
    texts: { type: "string", default: "4000" },
    rounds: { type: "string", default: "5" },
    compare: { type: "string", default: "2000" },
    section: { type: "boolean", default: false },
    rules: { type: "boolean", default: false },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const otherCheckout = resolve(options.against ?? "");
if (options.against === undefined) throw new Error("--against names the folder of another checkout");
const catalogue = parseCatalogue(options.catalogue);
const heading = "## suggest-pairs.ts: responses of two versions in one process, in turns";
/** Keystrokes of a block, after which the other checkout continues. */
const BLOCK_SIZE = 50;
/** Rounds of other keystrokes before the first measured round. */
const WARM_UP_ROUNDS = 3;
const folder = options.store ?? join(tmpdir(), `vitrine-pairs-${process.pid}`);
/** Query parameters with which responses are compared. */
const comparedParameters = [
  "resources[type]=product,query&limit=10",
  "",
  "resources[type]=product,query,collection,page,article,bundle&resources[limit_scope]=each&limit=4",
  "resources[options][unavailable_products]=hide&spelling=exact",
  "type=query",
  "type=product&limit=3&resources[options][fields]=title",
];

/** Answers requests as a server does, without a socket. */
interface Answerer {
  answer(url: string): Promise<string>;
  close(): Promise<void>;
}

async function openAnswerer(checkout: string, storeDir: string): Promise<Answerer> {
  const load = async <Module>(path: string): Promise<Module> => import(pathToFileURL(join(checkout, "src", path)).href);
  const { createApp } = await load<typeof AppModule>("app.ts");
  const { createRoutes } = await load<typeof RoutesModule>("http/routes.ts");
  const { createPipeline } = await load<typeof PipelineModule>("http/pipeline.ts");
  const app = await createApp({ storeDir, logLevel: "fatal" });
  const routes = createRoutes(app.shop, {
    storeDir,
    resizedImages: undefined as never,
    cartStreams: undefined as never,
    isDraining: () => false,
    threads: 1,
  });
  const handle = createPipeline(app.shop, routes, () => {
    throw new Error("no route");
  });
  const host = "shop.example";
  return {
    async answer(url) {
      const { body, headers } = await handle({
        method: "GET",
        isHead: false,
        headers: { host, accept: "*/*" },
        origin: `http://${host}`,
        client: { scheme: "http", host, address: "127.0.0.1" },
        isSecure: false,
        readBody: async () => new Uint8Array(),
        url,
        receivedAt: performance.now(),
        isAborted: () => false,
        onRoute: undefined,
      });
      if (headers.etag === undefined) throw new Error(`no entity tag for ${url}: ${JSON.stringify(body)}`);
      return body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : bytesOf(body);
    },
    close: app.close,
  };
}

function parseCatalogue(name: string): CatalogueName {
  if (!isCatalogueName(name)) throw new Error(`${name} is not a catalog`);
  return name;
}

function bytesOf(body: unknown): string {
  return typeof body === "string" ? body : (body as ByteString).bytes;
}

await mkdir(folder, { recursive: true });
const storeName = options.rules ? `${catalogue}-rules` : catalogue;
const settings = { server: { maxWait: 60_000 }, locales: { default: catalogues[catalogue] } };
const thisStore = await openLargeStore(join(folder, storeName), settings, catalogue);
const otherDir = join(folder, `${storeName}-other`);
if (options.rules) await writeRules(thisStore.dir);
await cp(thisStore.dir, otherDir, { recursive: true, force: false });
const answerers = [
  await openAnswerer(fileURLToPath(new URL("..", import.meta.url)), thisStore.dir),
  await openAnswerer(otherCheckout, otherDir),
] as const;
try {
  const { measuredTexts, warmUpTexts } = await typedTexts(false, catalogue);
  const typoTexts = (await typedTexts(true, catalogue)).measuredTexts;
  const compared = createRandom(3).sample([...measuredTexts, ...typoTexts], Number(options.compare));
  let differences = 0;
  for (const [index, text] of compared.entries()) {
    const parameters = comparedParameters[index % comparedParameters.length];
    const url = `/search/suggest.json?q=${encodeURIComponent(text)}&${parameters}`;
    const [body, otherBody] = [await answerers[0].answer(url), await answerers[1].answer(url)];
    if (body === otherBody) continue;
    differences += 1;
    if (differences <= 5) process.stdout.write(`${url}\n  ${body.slice(0, 600)}\n  ${otherBody.slice(0, 600)}\n`);
  }
  process.stdout.write(`${compared.length} responses compared, ${differences} differ\n`);
  if (Number(options.rounds) > 0) await measure(measuredTexts.slice(0, Number(options.texts)), warmUpTexts);
} finally {
  for (const answerer of answerers) await answerer.close();
  if (options.store === undefined) await rm(folder, { recursive: true, force: true });
}

/** Writes search rules for some keystrokes, and many more for queries that nobody types. */
async function writeRules(dir: string): Promise<void> {
  const { measuredTexts } = await typedTexts(false, catalogue);
  const random = createRandom(17);
  const queries = random.sample(measuredTexts, measuredTexts.length).filter((text) => /^[a-z ]{3,}$/.test(text));
  const handles = (await readFile(catalogueFile(catalogue), "utf8"))
    .split("\n", 4_000)
    .map((line) => String(JSON.parse(line).handle));
  const linesOf = (pattern: (query: string) => string, count: number, value: (handle: string) => string): string[] => [
    ...Array.from({ length: count }, () => `${pattern(queries.pop() ?? "")}: ${value(handles.pop() ?? "")}`),
    ...Array.from({ length: 300 }, (_, number) => `qx${number} jz*: ${value(handles.pop() ?? "")}`),
  ];
  await mkdir(join(dir, "search"), { recursive: true });
  const files = {
    pins: linesOf(
      (query) => query,
      20,
      (handle) => handle,
    ),
    hides: linesOf(
      (query) => `${query}*`,
      20,
      (handle) => handle,
    ),
    boosts: linesOf(
      (query) => `${query}*`,
      20,
      (handle) => `${handle} +3`,
    ),
  };
  for (const [name, lines] of Object.entries(files))
    await writeFile(join(dir, "search", `${name}.txt`), lines.join("\n"));
}

async function measure(texts: readonly string[], warmUpTexts: readonly string[]): Promise<void> {
  // A limit and a parameter without meaning make each URL of a round new.
  const urlOf = (text: string, round: string): string =>
    options.section
      ? `/search/suggest?q=${encodeURIComponent(text)}&section_id=predictive-search&limit=10&round=${round}`
      : `/search/suggest.json?q=${encodeURIComponent(text)}&resources[type]=product,query&limit=10&round=${round}`;
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const text of warmUpTexts.slice(round * texts.length, (round + 1) * texts.length))
      for (const answerer of answerers) await answerer.answer(urlOf(text, "warm"));
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    // Both get other keystrokes first, so that caches of completions and words do not hold the measured ones.
    for (const text of warmUpTexts.slice(-2_000))
      for (const answerer of answerers) await answerer.answer(urlOf(text, `evict${round}`));
    for (let start = 0; start < texts.length; start += BLOCK_SIZE) {
      const block = texts.slice(start, start + BLOCK_SIZE);
      for (const engine of (start / BLOCK_SIZE + round) % 2 === 0 ? [0, 1] : [1, 0]) {
        const answerer = answerers[engine] as Answerer;
        const before = process.cpuUsage();
        for (const text of block) await answerer.answer(urlOf(text, `${round}`));
        const { user, system } = process.cpuUsage(before);
        times[engine]?.push((user + system) / block.length);
      }
    }
  }
  const [mine, theirs] = times;
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const ratios = mine.map((time, block) => (theirs[block] as number) / time);
  const row = [
    ...today(),
    execFileSync("git", ["-C", otherCheckout, "rev-parse", "--short", "HEAD"]).toString().trim(),
    storeName,
    options.section ? "section" : "json",
    `${texts.length} × ${options.rounds}`,
    `${(sum(mine) / mine.length).toFixed(1)} / ${(sum(theirs) / theirs.length).toFixed(1)} µs`,
    (sum(theirs) / sum(mine)).toFixed(2),
    [0.25, 0.5, 0.75].map((share) => percentile(ratios, share).toFixed(2)).join(" / "),
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, [row]);
}
