import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { createFifo } from "./fifo.ts";

test("what comes first goes first, however many come and go in between", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -40, max: 40 })), (steps) => {
      const [fifo, slow] = [createFifo<{ readonly number: number }>(), [] as { readonly number: number }[]];
      let number = 0;
      for (const step of steps) {
        for (let push = 0; push < step; push += 1) {
          number += 1;
          fifo.push({ number });
          slow.push({ number });
        }
        for (let shift = 0; shift < -step; shift += 1) assert.deepEqual(fifo.shift(), slow.shift());
      }
    }),
  );
});

test("what was taken is held no longer while others wait", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const fifo = createFifo<object>();
  const push = (): WeakRef<object> => {
    const one = {};
    fifo.push(one);
    return new WeakRef(one);
  };
  const held = Array.from({ length: 20 }, push);
  return new Promise<void>((resolve) => {
    setImmediate(() => {
      for (let number = 0; number < 15; number += 1) fifo.shift();
      setImmediate(() => {
        collect();
        assert.deepEqual(
          held.map((one) => one.deref() !== undefined),
          held.map((_, number) => number >= 15),
        );
        resolve();
      });
    });
  });
});
