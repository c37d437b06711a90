import assert from "node:assert/strict";
import { test } from "node:test";
import { createIdGenerator, system } from "./system.ts";

test("an id is valid as a command argument: it never starts like an option", () => {
  for (const newId of [system.newId, createIdGenerator()]) {
    const ids = Array.from({ length: 2_000 }, () => newId());
    for (const id of ids) assert.match(id, /^[A-Za-z][\w-]{23}$/);
    assert.equal(new Set(ids).size, ids.length);
  }
});
