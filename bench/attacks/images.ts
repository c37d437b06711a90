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
const VISIT_INTERVAL_MS = 500;

interface Answer {
  readonly ms: number;
  /** Whether the response is the resized image instead of the original. */
  readonly isResized: boolean;
}

await runAttack({ products: "demo" }, async ({ origin, storeDir }) => {
  const noise = { type: "gaussian", mean: 128, sigma: 4 } as const;
  const photo = sharp({ create: { width: 6_000, height: 4_000, channels: 3, background: "#888", noise } });
  await photo.jpeg({ quality: 80 }).toFile(join(storeDir, "media", "large.jpg"));
  const random = createRandom(1);
  const randomUpTo = (limit: number): number => 1 + random.below(limit);
  const end = performance.now() + ATTACK_MS;
  const attack = async (): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    while (performance.now() < end) {
      const format = random.pick(["avif", "png", "webp", "jpg"]);
      const cropQuery = `crop_left=${randomUpTo(999)}&crop_top=${randomUpTo(999)}&crop_width=${randomUpTo(5_000)}&crop_height=${randomUpTo(3_000)}`;
      answers.push(
        await ask(`${origin}/media/large.jpg?width=${randomUpTo(5_760)}&format=${format}&crop=region&${cropQuery}`),
      );
    }
    return answers;
  };
  const visit = async (): Promise<readonly Answer[]> => {
    const answers: Promise<Answer>[] = [];
    for (let cropLeft = 1; performance.now() < end; cropLeft += 1) {
      const cropQuery = `crop=region&crop_left=${cropLeft}&crop_width=1000&crop_height=1000`;
      answers.push(ask(`${origin}/media/large.jpg?width=360&${cropQuery}`, "127.0.0.2"));
      await sleep(VISIT_INTERVAL_MS);
    }
    return Promise.all(answers);
  };
  const [visitorAnswers, ...attackerAnswers] = await Promise.all([visit(), ...Array.from({ length: CLIENTS }, attack)]);
  return [
    describe("attackers' pictures", attackerAnswers.flat()),
    describe("another visitor's pictures", visitorAnswers),
  ];
});

function ask(url: string, localAddress = "127.0.0.1"): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { localAddress }, (reply) => {
      const isResized = reply.headers["cache-control"] !== "public, max-age=60";
      reply.resume().once("end", () => resolve({ ms: performance.now() - start, isResized }));
    }).once("error", reject);
  });
}

function describe(visitorName: string, answers: readonly Answer[]): string {
  const times = answers.map(({ ms }) => ms);
  const [median, p99, maximum] = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map(Math.round);
  const resizedCount = answers.filter(({ isResized }) => isResized).length;
  return `${visitorName}: p50, p99, most ${median}, ${p99}, ${maximum} ms; ${resizedCount} of ${times.length} were answered as asked, the rest by the original`;
}
