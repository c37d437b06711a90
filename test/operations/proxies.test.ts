import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { add, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { findFreePort } from "../support/postgres-server.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));

interface Ports {
  readonly shop: number;
  readonly otherSite: number;
  /** Ports of the proxy, for the host of the shop and for another site. */
  readonly listen: readonly [number, number];
}

interface Proxy {
  readonly program: string;
  readonly versionFlag: string;
  readonly file: string;
  /** Returns the documented configuration with the ports of the test, without TLS. */
  readonly configure: (text: string, ports: Ports, folder: string) => string;
  readonly args: (file: string) => readonly string[];
}

const proxies: readonly Proxy[] = [
  {
    program: process.env.VITRINE_NGINX ?? "nginx",
    versionFlag: "-v",
    file: "nginx.conf",
    configure: (text, { listen }, folder) => {
      let site = 0;
      const servers = text.replaceAll(/ {2}ssl_.*\n/g, "").replaceAll("listen 443 ssl;", () => {
        site += 1;
        return `listen 127.0.0.1:${listen[site - 1]};`;
      });
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      return `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")}\n${servers} }`;
    },
    args: (file) => ["-c", file, "-e", "stderr"],
  },
  {
    program: process.env.VITRINE_CADDY ?? "caddy",
    versionFlag: "version",
    file: "Caddyfile",
    configure: (text, { listen }) =>
      `{\n\tadmin off\n\tauto_https off\n}\n${text
        .replace("shop.example {", `http://127.0.0.1:${listen[0]} {`)
        .replace("www.example {", `http://127.0.0.1:${listen[1]} {`)}`,
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
];

const isInstalled = ({ program, versionFlag }: Proxy): boolean => spawnSync(program, [versionFlag]).status === 0;
const shop = proxies.some(isInstalled)
  ? await startShop({ hasTheme: false, config: { trustProxy: ["127.0.0.1"] } })
  : undefined;

for (const proxy of proxies)
  test(`behind ${proxy.file}, the shop works on its own host and in front of another site`, {
    skip: isInstalled(proxy) ? false : `${proxy.program} is not installed`,
  }, async () => {
    const otherSite = createServer((_, response) => void response.end("another site")).listen(0, "127.0.0.1");
    after(() => otherSite.close());
    await once(otherSite, "listening");
    const { port } = otherSite.address() as AddressInfo;
    const listen = [await findFreePort(), await findFreePort()] as const;
    await start(proxy, { shop: Number(new URL(shop?.origin ?? "").port), otherSite: port, listen });
    for (const [index, sitePort] of listen.entries()) {
      const origin = `http://127.0.0.1:${sitePort}`;
      const client = createClient(origin);
      await until(async () => (await client.get("/cart.js").catch(() => undefined))?.status === 200);
      await assertCartWorks(origin);
      const home = await client.get("/");
      assert.equal(home.text === "another site", index === 1);
      assert.match((await client.get("/search/suggest.json?q=rain")).text, /Raincoat/);
      const large = await client.post("/cart/add.js", `{"note":"${"x".repeat(2_000_000)}"}`);
      assert.equal(large.json().error, "payload_too_large", "the shop limits bodies");
    }
  });

/** Asserts that cookies, the origin, and event streams pass the proxy. */
async function assertCartWorks(origin: string): Promise<void> {
  const client = createClient(origin);
  await add(client, variant.unlimited, 2);
  const cookie = [...client.cookies].map((pair) => pair.join("=")).join("; ");
  const stream = await fetch(`${origin}/cart/events`, { headers: { cookie } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await add(client, variant.unlimited, 1);
  let text = "";
  while (!text.includes('data: {"revision":2}'))
    text += (await reader?.read())?.value ?? assert.fail("the stream ended");
  await reader?.cancel();
  assert.equal((await readCart(client)).item_count, 3);
}

/** Starts a proxy, which stops after the test. */
async function start({ program, file, configure, args }: Proxy, ports: Ports): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-proxy-"));
  const text = await readFile(join(deploy, file), "utf8");
  const config = configure(text, ports, folder)
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${ports.shop}`)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${ports.otherSite}`);
  const configFile = join(folder, file);
  await writeFile(configFile, config);
  const child = spawn(program, args(configFile), {
    stdio: "ignore",
    env: { ...process.env, HOME: folder },
  });
  after(async () => {
    if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "exit");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}
