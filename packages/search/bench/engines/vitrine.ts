import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Engine, type EngineSource, serve } from "./engine.ts";
import { openVitrineIndex, productType, saveIndex } from "./vitrine-index.ts";

async function openVitrine({ documents, locale, folder }: EngineSource): Promise<Engine> {
  const savedFile = join(folder, "products.index");
  const isSaved = existsSync(savedFile);
  const { index, bytes, segment } = await openVitrineIndex(isSaved ? savedFile : documents, locale);
  if (!isSaved) saveIndex(segment, savedFile);
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
