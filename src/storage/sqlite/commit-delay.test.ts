import assert from "node:assert/strict";
import { test } from "node:test";
import { createCommitDelay } from "./commit-delay.ts";

test("a single writer never waits for others", () => {
  const hold = createCommitDelay();
  assert.equal(hold.shouldWait(1, 0, 0), false, "the first write of all");
  hold.recordCommit(1, 0, 5);
  assert.equal(hold.shouldWait(1, 0, 0), false);
});

test("a group waits for the number of recent writers, and at most for the time of a commit", () => {
  const hold = createCommitDelay();
  for (let round = 0; round < 50; round += 1) hold.recordCommit(3, 13, 0.4);
  assert.equal(hold.shouldWait(13, 0.1, 0), true);
  assert.equal(hold.shouldWait(16, 0.1, 0), false, "all recent writers have written");
  assert.equal(hold.shouldWait(13, 0.5, 0), false, "for as long as a commit takes");
  assert.equal(hold.shouldWait(13, 0.2, 0.15), false, "no more writes arrive");
  for (let round = 0; round < 50; round += 1) hold.recordCommit(1, 1, 30);
  assert.equal(hold.shouldWait(1, 1, 0), false, "writes gather during a slow commit");
});

test("after other writers stop, no write waits for them again", () => {
  const hold = createCommitDelay();
  hold.recordCommit(9, 7, 1);
  assert.equal(hold.shouldWait(7, 0, 0), true);
  hold.recordCommit(7, 0, 1);
  hold.recordCommit(1, 0, 1);
  assert.equal(hold.shouldWait(1, 0, 0), false);
});
