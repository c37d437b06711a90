// Twenty clients request a 24-megapixel image in sizes, crops and formats that are not cached. Meanwhile, another
// visitor requests small images.
//   node bench/attacks/images.ts
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { createRandom } from "../random.ts";
import { percentile } from "../store.ts";
import { runAttack } from "./attack.ts";

const CLIENTS = 20;
const ATTACK_MS = 30_000;
/** Milliseconds between two image requests of the other visitor. */
const EVERY_MS = 500;

interface Answer {
  readonly ms: number;
  /** Whether the response is the resized image instead of the original. */
  readonly isMade: boolean;
}

await runAttack({ products: "demo" }, async ({ origin, storeDir }) => {
  const noise = { type: "gaussian", mean: 128, sigma: 4 } as const;
  const photo = sharp({ create: { width: 6_000, height: 4_000, channels: 3, background: "#888", noise } });
  await photo.jpeg({ quality: 80 }).toFile(join(storeDir, "media", "large.jpg"));
  const random = createRandom(1);
  const upTo = (limit: number): number => 1 + random.below(limit);
  const end = performance.now() + ATTACK_MS;
  const attack = async (): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    while (performance.now() < end) {
      const format = random.pick(["avif", "png", "webp", "jpg"]);
      const part = `crop_left=${upTo(999)}&crop_top=${upTo(999)}&crop_width=${upTo(5_000)}&crop_height=${upTo(3_000)}`;
      answers.push(await ask(`${origin}/media/large.jpg?width=${upTo(5_760)}&format=${format}&crop=region&${part}`));
    }
    return answers;
  };
  const visit = async (): Promise<readonly Answer[]> => {
    const answers: Promise<Answer>[] = [];
    for (let left = 1; performance.now() < end; left += 1) {
      const part = `crop=region&crop_left=${left}&crop_width=1000&crop_height=1000`;
      answers.push(ask(`${origin}/media/large.jpg?width=360&${part}`, "127.0.0.2"));
      await sleep(EVERY_MS);
    }
    return Promise.all(answers);
  };
  const [own, ...attackers] = await Promise.all([visit(), ...Array.from({ length: CLIENTS }, attack)]);
  return [describe("attackers' pictures", attackers.flat()), describe("another visitor's pictures", own)];
});

function ask(url: string, localAddress = "127.0.0.1"): Promise<Answer> {
  const began = performance.now();
  return new Promise((done, fail) => {
    get(url, { localAddress }, (reply) => {
      const isMade = reply.headers["cache-control"] !== "public, max-age=60";
      reply.resume().once("end", () => done({ ms: performance.now() - began, isMade }));
    }).once("error", fail);
  });
}

function describe(whose: string, answers: readonly Answer[]): string {
  const times = answers.map(({ ms }) => ms);
  const [half, most99, most] = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map(Math.round);
  const made = answers.filter(({ isMade }) => isMade).length;
  return `${whose}: p50, p99, most ${half}, ${most99}, ${most} ms; ${made} of ${times.length} were answered as asked, the rest by the original`;
}
