import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../../test/support/any-text.ts";
import type { SqlValue, Statement } from "../database.ts";
import { type JobOutcome, packJobs, packOutcome, unpackJobs, unpackOutcome } from "./batch.ts";

const value = fc.oneof(fc.constant<SqlValue>(null), anyText(), fc.double({ noNaN: true }), fc.uint8Array());
const statement: fc.Arbitrary<Statement> = fc.record(
  {
    sql: fc.constantFrom("SELECT $1", "UPDATE t SET a = $1", ""),
    params: fc.array(value, { maxLength: 5 }),
    requireRows: fc.nat(3),
  },
  { noNullPrototype: true },
);
const jobs = fc.array(fc.array(statement, { maxLength: 4 }), { maxLength: 5 });

test("jobs survive encoding into a message unchanged", () => {
  fc.assert(
    fc.property(jobs, (jobList) => assert.deepEqual(unpackJobs(structuredClone(packJobs(jobList))), jobList)),
    { numRuns: 300 },
  );
});

test("outcomes survive encoding into a message unchanged", () => {
  const row = { value: 1 };
  const outcomes: readonly JobOutcome[] = [
    { kind: "rows", rows: [[], []] },
    { kind: "rows", rows: [[], [row]] },
    { kind: "conflict", message: "it did not hold" },
  ];
  const statements = [{ sql: "SELECT 1", params: [] }].flatMap((statement) => [statement, statement]);
  for (const outcome of outcomes)
    assert.deepEqual(unpackOutcome(structuredClone(packOutcome(outcome)), statements), outcome);
});
