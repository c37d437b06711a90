import assert from "node:assert/strict";
import { test } from "node:test";
import { createPictureJobs } from "./jobs.ts";

test("callers take turns: who asks for much waits for themselves alone", async () => {
  const jobs = createPictureJobs({ running: 1, perCaller: 3, inAll: 100 });
  const done: string[] = [];
  const ask = (caller: string, number: number) => jobs.start(caller, async () => void done.push(`${caller}${number}`));
  // The first begins at once; three more of one caller wait, and a fifth is refused.
  const asked = [0, 1, 2, 3].map((number) => ask("a", number));
  assert.equal(ask("a", 4), undefined);
  asked.push(ask("b", 0), ask("c", 0), ask("b", 1));
  await Promise.all(asked);
  assert.deepEqual(done, ["a0", "a1", "b0", "c0", "a2", "b1", "a3"]);
});

test("no more run at once than may, also after one that failed, and no more wait in all", async () => {
  const jobs = createPictureJobs({ running: 2, perCaller: 100, inAll: 5 });
  let running = 0;
  let most = 0;
  const work = async (number: number): Promise<number> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number % 2 === 0) throw new Error("damaged");
    return number;
  };
  const asked = Array.from({ length: 8 }, (_, number) => jobs.start(`caller ${number}`, () => work(number)));
  assert.equal(asked.filter((one) => one === undefined).length, 1);
  const results = await Promise.allSettled(asked.slice(0, 7));
  assert.deepEqual(
    results.map(({ status }) => status === "fulfilled"),
    [false, true, false, true, false, true, false],
  );
  assert.equal(most, 2);
});
