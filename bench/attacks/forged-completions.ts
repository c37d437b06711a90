// Attacks search completions by searching for the same words many times: from one IP address with many user agents,
// from one network, and with as many different words as possible.
//   node bench/attacks/forged-completions.ts
import { readFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { runAttack } from "./attack.ts";

const PEOPLE = 200;
/** Duration of the flood of new words in milliseconds. */
const FLOOD_MS = 8_000;
const FLOODERS = 8;
/** Time to wait for the server to write searches, which happens every two seconds. */
const WRITTEN_MS = 3_000;

await runAttack({ products: "demo" }, async ({ origin, storeDir }) => {
  const phrases = phrasesOf(await readFile(join(storeDir, "catalog", "products.jsonl"), "utf8"));
  const [byAgents = "", byAddresses = ""] = phrases;
  const agent = new Agent({ keepAlive: true, maxSockets: FLOODERS });
  await inTurns(PEOPLE, (n) => search(origin, byAgents, { agent, userAgent: `agent ${n}` }));
  await inTurns(PEOPLE, (n) => search(origin, byAddresses, { localAddress: `127.0.0.${3 + n}` }));
  const end = performance.now() + FLOOD_MS;
  let searched = 2;
  const flood = async (): Promise<void> => {
    for (; performance.now() < end && searched < phrases.length; searched += 1)
      await search(origin, phrases[searched] ?? "", { agent });
  };
  await Promise.all(Array.from({ length: FLOODERS }, flood));
  agent.destroy();
  await sleep(WRITTEN_MS);
  const database = new DatabaseSync(join(storeDir, "data", "vitrine.db"), { readOnly: true });
  const terms = database.prepare("SELECT term, weight FROM signal_counts WHERE kind = 'found'").all();
  const visits = database.prepare("SELECT COUNT(*) AS count FROM signal_visits").get();
  database.close();
  const counted = (term: string): unknown => terms.find((row) => row.term === term)?.weight ?? 0;
  return [
    `${PEOPLE} agents of one address: "${byAgents}" counts ${counted(byAgents)}; it takes 20 or more`,
    `${PEOPLE} addresses of one network: "${byAddresses}" counts ${counted(byAddresses)}`,
    `${searched} searches of new words in ${FLOOD_MS / 1_000} s from one address: ${terms.length} terms and ${visits?.count} visits are kept`,
  ];
});

/** Returns phrases of two or three words of a product's title in any order. Each has exact results. */
function phrasesOf(jsonl: string): readonly string[] {
  const titles = jsonl
    .split("\n")
    .filter(Boolean)
    .map((line) => String((JSON.parse(line) as { readonly title: unknown }).title).toLowerCase());
  const phrases = titles.flatMap((title) => {
    const words = title.match(/[a-z]{3,}/g) ?? [];
    const longer = (phrase: string): readonly string[] =>
      words.filter((word) => !phrase.split(" ").includes(word)).map((word) => `${phrase} ${word}`);
    const pairs = words.flatMap(longer);
    return [...pairs, ...pairs.flatMap(longer)];
  });
  return [...new Set(phrases)];
}

async function inTurns(times: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; n < times; n += FLOODERS)
    await Promise.all(Array.from({ length: Math.min(FLOODERS, times - n) }, (_, m) => work(n + m)));
}

function search(
  origin: string,
  q: string,
  from: { readonly agent?: Agent; readonly userAgent?: string; readonly localAddress?: string },
): Promise<void> {
  const { userAgent = "one agent", ...connection } = from;
  const url = new URL(`/search?q=${encodeURIComponent(q)}`, origin);
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { headers: { "user-agent": userAgent, accept: "text/html" }, ...connection });
    outgoing.once("response", (answer) => answer.resume().once("end", resolve)).once("error", reject);
  });
}
