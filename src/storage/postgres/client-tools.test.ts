import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { runClientTool } from "./client-tools.ts";

const skip = process.platform === "win32" && "needs programs without extension";

test("a client tool gets the password as the server reads it from the URL, in the environment", { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-tools-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "pg_dump"), '#!/bin/sh\necho "$PGPASSWORD" "$@"');
  await chmod(join(folder, "pg_dump"), 0o755);
  const run = async (password: string): Promise<string> => {
    const url = `postgres://shop:${password}@127.0.0.1/shop`;
    const { childProcess, completion } = runClientTool("pg_dump", url, [], { PATH: `${folder}:${process.env.PATH}` });
    const [output] = await Promise.all([text(childProcess.stdout as NodeJS.ReadableStream), completion]);
    return output;
  };
  assert.equal(await run("a%2Fb"), "a/b --dbname=postgres://shop@127.0.0.1/shop\n");
  assert.equal(await run("50%"), "50% --dbname=postgres://shop@127.0.0.1/shop\n");
});
