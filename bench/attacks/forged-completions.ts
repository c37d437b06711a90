// Attacks search completions by searching for the same words many times: from one IP address with many user agents,
// from one network, and with as many different words as possible.
//   node bench/attacks/forged-completions.ts
import { readFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { runAttack } from "./attack.ts";

const SEARCHERS = 200;
/** Duration of the flood of new words in milliseconds. */
const FLOOD_MS = 8_000;
const FLOODERS = 8;
/** Time to wait for the server to write searches, which happens every two seconds. */
const WRITE_WAIT_MS = 3_000;

await runAttack({ products: "demo" }, async ({ origin, storeDir }) => {
  const phrases = phrasesOf(await readFile(join(storeDir, "catalog", "products.jsonl"), "utf8"));
  const [agentPhrase = "", networkPhrase = ""] = phrases;
  const agent = new Agent({ keepAlive: true, maxSockets: FLOODERS });
  await runInBatches(SEARCHERS, (n) => search(origin, agentPhrase, { agent, userAgent: `agent ${n}` }));
  await runInBatches(SEARCHERS, (n) => search(origin, networkPhrase, { localAddress: `127.0.0.${3 + n}` }));
  const end = performance.now() + FLOOD_MS;
  let searchCount = 2;
  const flood = async (): Promise<void> => {
    for (; performance.now() < end && searchCount < phrases.length; searchCount += 1)
      await search(origin, phrases[searchCount] ?? "", { agent });
  };
  await Promise.all(Array.from({ length: FLOODERS }, flood));
  agent.destroy();
  await sleep(WRITE_WAIT_MS);
  const database = new DatabaseSync(join(storeDir, "data", "vitrine.db"), { readOnly: true });
  const terms = database.prepare("SELECT term, weight FROM signal_counts WHERE kind = 'found'").all();
  const visits = database.prepare("SELECT COUNT(*) AS count FROM signal_visits").get();
  database.close();
  const weightOf = (term: string): unknown => terms.find((row) => row.term === term)?.weight ?? 0;
  return [
    `${SEARCHERS} agents of one address: "${agentPhrase}" counts ${weightOf(agentPhrase)}; it takes 20 or more`,
    `${SEARCHERS} addresses of one network: "${networkPhrase}" counts ${weightOf(networkPhrase)}`,
    `${searchCount} searches of new words in ${FLOOD_MS / 1_000} s from one address: ${terms.length} terms and ${visits?.count} visits are kept`,
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
    const extendPhrase = (phrase: string): readonly string[] =>
      words.filter((word) => !phrase.split(" ").includes(word)).map((word) => `${phrase} ${word}`);
    const pairs = words.flatMap(extendPhrase);
    return [...pairs, ...pairs.flatMap(extendPhrase)];
  });
  return [...new Set(phrases)];
}

async function runInBatches(times: number, work: (n: number) => Promise<void>): Promise<void> {
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
    const request = get(url, { headers: { "user-agent": userAgent, accept: "text/html" }, ...connection });
    request.once("response", (answer) => answer.resume().once("end", resolve)).once("error", reject);
  });
}
