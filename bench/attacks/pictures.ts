// Twenty clients who ask for a picture of twenty-four million pixels in sizes, parts and formats that nobody has asked for yet.
//   node bench/attacks/pictures.ts
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { createRandom } from "../random.ts";
import { runAttack } from "./attack.ts";

const CLIENTS = 20;
const ATTACK_MS = 30_000;

await runAttack({ products: "demo" }, async ({ origin, storeDir }) => {
  await mkdir(join(storeDir, "media"), { recursive: true });
  const noise = { type: "gaussian", mean: 128, sigma: 4 } as const;
  await sharp({ create: { width: 6_000, height: 4_000, channels: 3, background: "#888", noise } })
    .jpeg({ quality: 80 })
    .toFile(join(storeDir, "media", "large.jpg"));
  const random = createRandom(1);
  const upTo = (limit: number): number => 1 + random.below(limit);
  const times: number[] = [];
  let made = 0;
  const end = performance.now() + ATTACK_MS;
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      const format = ["avif", "png", "webp", "jpg"][upTo(4) - 1];
      const part = `crop_left=${upTo(999)}&crop_top=${upTo(999)}&crop_width=${upTo(5_000)}&crop_height=${upTo(3_000)}`;
      const began = performance.now();
      const reply = await fetch(`${origin}/media/large.jpg?width=${upTo(5_760)}&format=${format}&crop=region&${part}`);
      await reply.arrayBuffer();
      times.push(performance.now() - began);
      if (reply.headers.get("cache-control") !== "public, max-age=60") made += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
  const most = Math.round(Math.max(...times));
  return [
    `${times.length} pictures were asked for, ${made} were answered in time as asked; the longest answer took ${most} ms`,
  ];
});
