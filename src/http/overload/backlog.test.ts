import assert from "node:assert/strict";
import { test } from "node:test";
import { createBacklog } from "./backlog.ts";

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("what waits takes as long as a guess says until some were done, and nothing where nothing waits", () => {
  const backlog = createBacklog(3);
  assert.equal(backlog.expectedMs(), 0);
  backlog.begin(4);
  assert.equal(backlog.expectedMs(), 12);
  backlog.end(4);
  assert.equal(backlog.expectedMs(), 0);
});

test("many that are done in one moment, and none for long, take as long as all together", () => {
  const backlog = createBacklog(0);
  backlog.begin(1_000);
  for (let turn = 0; turn < 10; turn += 1) {
    hold(10);
    for (let number = 0; number < 10; number += 1) backlog.end(1);
  }
  assert.ok(backlog.expectedMs() > 450, `${backlog.expectedMs()} ms for 900 that take a millisecond each`);
});

test("time in which nothing waited does not count", () => {
  const backlog = createBacklog(0);
  backlog.begin(2);
  backlog.end(2);
  hold(20);
  backlog.begin(3);
  backlog.end(1);
  assert.equal(backlog.expectedMs(), 0);
});
