import { type Engine, serve } from "./engine.ts";
import { openVitrineIndex, product } from "./vitrine-index.ts";

async function openVitrine(documents: string, locale: string): Promise<Engine> {
  const { index, bytes } = await openVitrineIndex(documents, locale);
  return {
    search(text, typos, limit) {
      const limits = new Map([[product, limit]]);
      const hits = index.search({ text, locale, limits, typos, unavailable: "last" }).get(product) ?? [];
      return hits.map(({ externalId: number }) => number);
    },
    indexBytes: bytes,
  };
}

await serve(openVitrine);
