import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createRecurring } from "./recurring.ts";

test("a recurring event is logged when it starts, and with its count after ten seconds without it", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const told: [number | undefined, string][] = [];
  const recurring = createRecurring(({ count }, message) => void told.push([count, message]));
  const full = new Error("the disk is full");
  for (let n = 0; n < 500; n += 1) recurring({ error: full }, "carts are unavailable");
  recurring({ error: new Error("the file is gone") }, "carts are unavailable");
  mock.timers.tick(9_000);
  recurring({ error: full }, "carts are unavailable");
  mock.timers.tick(9_000);
  assert.deepEqual(told, [
    [undefined, "carts are unavailable"],
    [undefined, "carts are unavailable"],
    [1, "over: carts are unavailable: the file is gone"],
  ]);
  mock.timers.tick(1_000);
  assert.deepEqual(told.at(-1), [501, "over: carts are unavailable: the disk is full"]);
  recurring({ error: full }, "carts are unavailable");
  assert.deepEqual(told.at(-1), [undefined, "carts are unavailable"], "told anew");
  mock.timers.reset();
});
