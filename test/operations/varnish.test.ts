import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient, type Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { findFreePort } from "../support/postgres-server.ts";
import { startShop, type TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** Path of Varnish 7, such as the one of Debian. Default: the one in `PATH`. */
const program = process.env.VITRINE_VARNISHD ?? "varnishd";
const isInstalled = spawnSync(program, ["-V"]).status === 0;

test("behind Varnish with the documented configuration, pages are shared until they change, and carts never", {
  skip: isInstalled ? false : "varnishd is not installed",
}, async (context) => {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const shop = await startShop({
    hasTheme: false,
    config: { origin, cdn: { maxAge: 86_400, purge: { format: "varnish", url: origin } } },
  });
  await startVarnish(port, shop);
  await until(async () => (await createClient(origin).get("/healthz")).status === 200);
  const paths = await crawl(origin);
  // The purge at the start of the server may remove the first pages.
  await until(async () => (await countHits(origin, paths)) === paths.length);
  let hits = 0;
  const pages = new Map<string, string>();
  for (const path of paths) {
    const page = await createClient(origin).get(path);
    hits += Number(isHit(page));
    pages.set(path, page.text);
    assert.equal(page.headers["set-cookie"], undefined, path);
    assert.doesNotMatch(page.text, /csrf/, path);
  }
  context.diagnostic(`${paths.length} pages, ${hits} of the second visitor from the cache`);
  assert.equal(hits, paths.length);

  const shopper = createClient(origin);
  await add(shopper, variant.unlimited, 2);
  assert.match((await shopper.get("/products/canvas-tote")).text, /Cart, 2 items/);
  assert.doesNotMatch((await createClient(origin).get("/products/canvas-tote")).text, /Cart, 2 items/);

  const token = await createApiToken(shop, "catalog:write");
  const changed = await shop.client().send("POST", "/admin/catalog", {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: JSON.stringify({ patch: { kind: "page", handle: "rain-care", content: "<p>Wash warm.</p>" } }),
  });
  assert.equal(changed.status, 200, changed.text);
  await until(async () => /Wash warm/.test((await createClient(origin).get("/pages/rain-care")).text));
  // No other page, except in other languages, shows the content of this page.
  let unchanged = 0;
  for (const path of paths) {
    const page = await createClient(origin).get(path);
    if (!path.endsWith("/pages/rain-care")) assert.equal(page.text, pages.get(path), path);
    unchanged += Number(isHit(page));
  }
  context.diagnostic(`${unchanged} pages are still in the cache after a change of one page`);
});

async function countHits(origin: string, paths: readonly string[]): Promise<number> {
  let hits = 0;
  for (const path of paths) hits += Number(isHit(await createClient(origin).get(path)));
  return hits;
}

/** Varnish names two requests in the header if the response comes from its cache. */
function isHit({ headers }: Reply): boolean {
  return String(headers["x-varnish"]).includes(" ");
}

/** Visits all pages that links lead to.  @returns the paths of cached pages */
async function crawl(origin: string): Promise<readonly string[]> {
  const paths = new Set(["/"]);
  const cached: string[] = [];
  for (const path of paths) {
    const { status, headers, text } = await createClient(origin).get(path);
    if (status === 200 && headers["cache-control"]?.includes("s-maxage") === true) cached.push(path);
    for (const [, link = ""] of text.matchAll(/href="(\/[^"#]*)"/g))
      if (!/^\/(?:assets|media|vitrine|search|checkout|api)/.test(link)) paths.add(link.replaceAll("&amp;", "&"));
  }
  return cached;
}

async function startVarnish(port: number, shop: TestShop): Promise<void> {
  const guide = await readFile(new URL("../../docs/how-to/scaling.md", import.meta.url), "utf8");
  const [pages = "", purge = ""] = Array.from(guide.matchAll(/```vcl\n([\s\S]*?)```/g), ([, text = ""]) =>
    text.replaceAll(/^ {3}/gm, ""),
  );
  const [head = "", rest = ""] = pages.split(/(?<=^backend.*\n)/m);
  const folder = await mkdtemp(join(tmpdir(), "vitrine-varnish-"));
  const file = join(folder, "shop.vcl");
  await writeFile(file, `${head.replace("3000", new URL(shop.origin).port)}\n${purge}\n${rest}`);
  const args = ["-F", "-a", `127.0.0.1:${port}`, "-f", file, "-n", join(folder, "work"), "-s", "malloc,64m"];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.once("exit", (code) => {
    if (code !== null && code !== 0) process.stderr.write(errors);
  });
  after(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
}
