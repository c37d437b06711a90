import { type Engine, serve } from "./engine.ts";
import { openVitrineIndex, productType } from "./vitrine-index.ts";

async function openVitrine(documents: string, locale: string): Promise<Engine> {
  const { index, bytes } = await openVitrineIndex(documents, locale);
  return {
    search(text, typos, limit) {
      const limits = new Map([[productType, limit]]);
      const hits = index.search({ text, locale, limits, typos, unavailable: "last" }).get(productType) ?? [];
      return hits.map(({ externalId: number }) => number);
    },
    indexBytes: bytes,
  };
}

await serve(openVitrine);
