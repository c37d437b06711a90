import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createRequestQueue } from "./request-queue.ts";

/** Longer than the requests that begin in one turn of the event loop may take together. */
const LONG_MS = 15;
const open = { destroyed: false } as Socket;

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("requests that a turn has no room for begin in later ones, each line in its order, neither after the other; those of closed sockets never", async () => {
  const queue = createRequestQueue(() => 0);
  const begun: string[] = [];
  const add = (kind: "read" | "write", name: string, socket = open): void =>
    queue.add(kind, socket, () => void begun.push(name));
  // So many begin without a look at the clock.
  for (let number = 0; number < 8; number += 1) queue.add("read", open, () => hold(LONG_MS / 2));
  add("read", "read 1");
  add("read", "left", { destroyed: true } as Socket);
  add("read", "read 2");
  add("write", "write 1");
  add("write", "write 2");
  assert.equal(begun.length, 0);
  assert.ok(queue.expectedMs("read") >= 0 && queue.waitedMs() === 0);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  assert.deepEqual(
    begun.filter((name) => name.startsWith("read")),
    ["read 1", "read 2"],
  );
  assert.deepEqual(begun.toSorted(), ["read 1", "read 2", "write 1", "write 2"]);
  assert.notDeepEqual(begun, begun.toSorted(), "neither line waits for the other to be empty");
});

test("reads and writes begin for the same time: what takes little does not wait for as many that take long", async () => {
  const queue = createRequestQueue(() => 0);
  const begun: string[] = [];
  const add = (kind: "read" | "write", ms: number): void =>
    queue.add(kind, open, () => {
      begun.push(kind);
      hold(ms);
    });
  for (let number = 0; number < 8; number += 1) queue.add("read", open, () => hold(LONG_MS / 2));
  for (let number = 0; number < 10; number += 1) add("read", LONG_MS);
  for (let number = 0; number < 10; number += 1) add("write", 0);
  while (begun.length < 20) await nextTurn();
  const readsBefore = begun.slice(0, begun.lastIndexOf("write")).filter((kind) => kind === "read").length;
  assert.ok(readsBefore < 5, `${readsBefore} reads before the last write`);
});

test("a turn of the event loop comes between requests that take long", async () => {
  const queue = createRequestQueue(() => 0);
  const seen: string[] = [];
  for (let number = 0; number < 20; number += 1)
    queue.add("read", open, () => {
      hold(LONG_MS / 3);
      seen.push("request");
    });
  let turns = 0;
  while (seen.length < 20) {
    await nextTurn();
    turns += 1;
  }
  assert.ok(turns > 5, `${turns} turns`);
});
