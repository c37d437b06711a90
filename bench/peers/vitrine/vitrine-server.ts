import { existsSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { serverCore } from "../../http/run-load.ts";
import { runCommand, runForText, startServer, stopServer } from "../../store.ts";
import { type SearchServer, type ServerPeer, sendChange } from "../search-server.ts";

const pollMs = 20;

interface Suggestions {
  readonly resources: { readonly results: { readonly products: readonly { readonly id: number }[] } };
}

/**
 * Returns Vitrine with a store that imports a catalog. The response has all fields that a theme shows of a product.
 * @param catalog rows that `vitrine import` reads
 */
export function vitrineServer(catalog: string): ServerPeer {
  return {
    title: "Vitrine",
    explainMissing: () => undefined,
    async open(_, folder): Promise<SearchServer> {
      // The benchmark measures the cost of requests, so the server must not reject late ones.
      const settings = { name: "Bench", currency: "USD", server: { maxWait: 60_000 } };
      mkdirSync(join(folder, "catalog"), { recursive: true });
      writeFileSync(join(folder, "vitrine.config.ts"), `export default ${JSON.stringify(settings)};\n`);
      const isNew = !existsSync(join(folder, "data"));
      if (isNew) await runCommand(["import", "--store", folder, catalog]);
      const token = await runForText(["token", "create", "--store", folder, "--scopes", "catalog:write"]);
      const { child, origin } = await startServer(folder, {}, serverCore);
      // A server that ends before its index is saved has to index all products again after the restart.
      while (isNew && globSync(join(folder, "data/index/*.index")).length === 0) await wait(pollMs);
      return {
        port: Number(new URL(origin).port),
        pid: child.pid ?? 0,
        path: (text) =>
          `/search/suggest.json?q=${encodeURIComponent(text)}&resources[type]=product&resources[limit]=10`,
        idsOf: (body) => (JSON.parse(body) as Suggestions).resources.results.products.map(({ id }) => String(id)),
        changeTitle: ({ key }, title) =>
          sendChange(`${origin}/admin/catalog`, {
            method: "POST",
            headers: { authorization: `Bearer ${token.trim()}`, "content-type": "application/json" },
            body: JSON.stringify({ patch: { kind: "product", id: Number(key), title } }),
          }),
        close: () => stopServer(child),
      };
    },
  };
}
