import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type FlatDocument, readFlat, titleOf } from "../flat-documents.ts";
import { type SearchServer, searchWhole } from "./search-server.ts";

const changeCount = 20;
/** Maximum milliseconds before a change, which are random, so that no poll inside a server is in step with the changes. */
const maxPauseMs = 1_000;
const pollMs = 5;
const maxMs = 120_000;
const wordLength = 10;

/**
 * Adds a new word to the title of 20 products, one after the other. Restores all titles afterwards.
 * @param documents path of the documents file
 * @param count number of products in the file
 * @returns milliseconds from sending each change until the first response that finds the product by the word
 */
export async function measureChanges(
  server: SearchServer,
  documents: string,
  count: number,
): Promise<readonly number[]> {
  const step = Math.floor(count / changeCount);
  const changed: FlatDocument[] = [];
  for (const document of readFlat(documents)) if (document.number % step === 0) changed.push(document);
  const times: number[] = [];
  for (const document of changed) {
    const word = Array.from({ length: wordLength }, () => String.fromCharCode(97 + randomInt(26))).join("");
    await wait(randomInt(maxPauseMs));
    const startedAt = performance.now();
    const timePromise = awaitResult(server, word, document.key).then(() => times.push(performance.now() - startedAt));
    await Promise.all([server.changeTitle(document, `${titleOf(document)} ${word}`), timePromise]);
  }
  for (const document of changed) await server.changeTitle(document, titleOf(document));
  return times;
}

async function awaitResult(server: SearchServer, word: string, id: string): Promise<void> {
  const deadline = performance.now() + maxMs;
  while (!(await searchWhole(server, word)).includes(id)) {
    if (performance.now() > deadline) throw new Error(`no response has the changed title within ${maxMs} ms`);
    await wait(pollMs);
  }
}
