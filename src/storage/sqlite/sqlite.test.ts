import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SetupError } from "../../setup-error.ts";
import { DatabaseUnavailableError, WriteConflict, WriteNotStartedError } from "../database.ts";
import { migrate } from "../migrate.ts";
import { lockStore, readFileIdentity } from "./files.ts";
import { openSqlite } from "./sqlite.ts";
import { startSqliteThread } from "./thread.ts";

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-sqlite-"));
});
after(() => rm(dir, { recursive: true, force: true }));

const insert = (id: string, value: number | null) => ({
  sql: "INSERT INTO t (id, value) VALUES ($1, $2) RETURNING value",
  params: [id, value],
});
const create = { sql: "CREATE TABLE t (id TEXT PRIMARY KEY, value BIGINT NOT NULL)", params: [] };

test("concurrent writes succeed and fail independently", async () => {
  const database = await openSqlite(join(dir, "group.db"));
  await database.write([create, insert("taken", 1)]);
  const failingStatement = { sql: "UPDATE t SET value = 9 WHERE id = $1", params: ["nobody"], requireRows: 1 };
  const results = await Promise.allSettled([
    database.write([insert("a", 2 ** 40)]),
    database.write([insert("b", 1), failingStatement]),
    database.write([insert("taken", 2)]),
    database.write([insert("c", null)]),
    database.write([insert("d", 4)]),
  ]);
  assert.deepEqual(results[0], { status: "fulfilled", value: [[{ value: 2 ** 40 }]] });
  assert.ok(results[1]?.status === "rejected" && results[1].reason instanceof WriteConflict);
  for (const index of [2, 3]) {
    const result = results[index];
    assert.ok(result?.status === "rejected" && !(result.reason instanceof DatabaseUnavailableError));
  }
  assert.equal(results[4]?.status, "fulfilled");
  assert.deepEqual(
    (await database.read("SELECT id FROM t ORDER BY id")).map((row) => row.id),
    ["a", "d", "taken"],
  );
  await database.close();
  await assert.rejects(database.read("SELECT 1"), DatabaseUnavailableError);
});

test("a lock held by another process fails writes as unavailable, not reads, and blocks nothing", async () => {
  const file = join(dir, "busy.db");
  const database = await openSqlite(file, { busyMs: 500 });
  await database.write([create]);
  const otherConnection = new DatabaseSync(file);
  otherConnection.exec("BEGIN IMMEDIATE");
  const write = assert.rejects(database.write([insert("a", 1)]), DatabaseUnavailableError);
  let isWaiting = true;
  void write.finally(() => {
    isWaiting = false;
  });
  await database.read("SELECT COUNT(*) AS n FROM t");
  assert.ok(isWaiting, "the read is answered while the write waits");
  let iterations = 0;
  for (; isWaiting; iterations += 1) await new Promise((resolve) => setImmediate(resolve));
  await write;
  otherConnection.exec("ROLLBACK");
  await database.write([insert("a", 1)]);
  assert.ok(iterations > 1, "the event loop runs while the write waits");
  otherConnection.close();
  await database.close();
});

test("a write that may wait outlasts a lock longer than one attempt, and keeps its position", async () => {
  const file = join(dir, "outlast.db");
  const database = await openSqlite(file, { busyMs: 50 });
  await database.write([create]);
  const otherConnection = new DatabaseSync(file);
  otherConnection.exec("BEGIN IMMEDIATE");
  const startDeadline = performance.now() + 20_000;
  const order: string[] = [];
  const write = (id: string) => database.write([insert(id, 1)], startDeadline).then(() => order.push(id));
  const firstWrite = write("a");
  await sleep(300);
  const secondWrite = write("b");
  await assert.rejects(database.write([insert("c", 1)], performance.now() + 400), DatabaseUnavailableError);
  otherConnection.exec("ROLLBACK");
  await Promise.all([firstWrite, secondWrite]);
  assert.deepEqual(order, ["a", "b"]);
  assert.deepEqual(await database.read("SELECT id FROM t ORDER BY id"), [{ id: "a" }, { id: "b" }]);
  otherConnection.close();
  await database.close();
});

test("a full disk fails writes as unavailable and keeps stored data", async () => {
  const file = join(dir, "full.db");
  const database = await openSqlite(file);
  await database.write([create, insert("first", 1), { sql: "PRAGMA max_page_count = 8", params: [] }]);
  const large = "x".repeat(100_000);
  await assert.rejects(database.write([insert(large, 1)]), DatabaseUnavailableError);
  assert.deepEqual(await database.read("SELECT id, value FROM t"), [{ id: "first", value: 1 }]);
  await database.write([{ sql: "PRAGMA max_page_count = 100000", params: [] }]);
  await database.write([insert("second", 2)]);
  await database.close();
});

test("a crashed thread fails its pending requests, and the next write starts another", async () => {
  const file = join(dir, "thread.db");
  await writeFile(file, "");
  const thread = startSqliteThread({ file, identity: readFileIdentity(file), role: "writer", busyMs: 100 });
  await thread.run([create]);
  const longQuery =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT COUNT(*) FROM n";
  const pendingRun = assert.rejects(thread.run([{ sql: longQuery, params: [] }]), DatabaseUnavailableError);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await thread.kill();
  await pendingRun;
  assert.deepEqual(await thread.run([insert("a", 1)]), [[{ value: 1 }]]);
  await thread.close();
});

test("a write not started by its deadline is dropped from the queue; one with a longer deadline is written", async () => {
  const file = join(dir, "late.db");
  new DatabaseSync(file).close();
  const thread = startSqliteThread({ file, identity: readFileIdentity(file), role: "writer", busyMs: 100 });
  await thread.run([create]);
  const longQuery =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT COUNT(*) FROM n";
  const runningJob = thread.run([{ sql: longQuery, params: [] }]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  let isRunning = true;
  void runningJob.then(() => (isRunning = false));
  const patientJob = thread.run([insert("patient", 1)], performance.now() + 60_000);
  await assert.rejects(thread.run([insert("late", 1)], performance.now() + 20), WriteNotStartedError);
  assert.ok(isRunning, "the write is rejected at its deadline");
  await patientJob;
  assert.deepEqual(await thread.run([{ sql: "SELECT id FROM t", params: [] }]), [[{ id: "patient" }]]);
  await thread.close();
});

test("a file that is not a database, or cannot be created, is rejected with a remedy", async () => {
  const file = join(dir, "text.db");
  await writeFile(file, "this is a text and no database at all. ".repeat(100));
  await assert.rejects(openSqlite(file), (error) => error instanceof SetupError && error.message.includes(file));
  await assert.rejects(openSqlite(join(dir, "no", "such", "folder.db")), SetupError);
});

test("a database with a newer schema is rejected", async () => {
  const database = await openSqlite(join(dir, "newer.db"));
  await migrate(database);
  await migrate(database);
  await database.write([{ sql: "INSERT INTO schema_versions (version) VALUES (99)", params: [] }]);
  await assert.rejects(
    migrate(database),
    (error) => error instanceof SetupError && /newer version/.test(error.message),
  );
  await database.close();
});

test("a second server on one store is rejected until the first has ended, also by kill -9", async () => {
  const release = lockStore(dir);
  assert.throws(() => lockStore(dir), SetupError);
  release();
  const child = startWriter(join(dir, "unused.db"));
  await once(child, "message");
  assert.throws(() => lockStore(dir), /another Vitrine server/);
  child.kill("SIGKILL");
  await once(child, "exit");
  lockStore(dir)();
});

test("kill -9 under load loses no acknowledged write", async () => {
  for (let round = 0; round < 10; round += 1) {
    const file = join(dir, `killed-${round % 2}.db`);
    const child = startWriter(file);
    const acknowledgedIds: string[] = [];
    child.on("message", (id: string) => acknowledgedIds.push(id));
    await once(child, "message");
    await new Promise((resolve) => setTimeout(resolve, 30 + round * 10));
    child.kill("SIGKILL");
    await once(child, "exit");
    const database = await openSqlite(file);
    const storedIds = new Set((await database.read("SELECT id FROM t")).map((row) => row.id));
    const [check] = await database.read("PRAGMA integrity_check");
    await database.close();
    const lostIds = acknowledgedIds.filter((id) => id !== "ready" && !storedIds.has(id));
    assert.deepEqual(lostIds, [], `round ${round}: of ${acknowledgedIds.length} acknowledged`);
    assert.equal(check?.integrity_check, "ok");
  }
});

function startWriter(file: string): ChildProcess {
  return fork(fileURLToPath(new URL("./load.fixture.ts", import.meta.url)), [file, dir], { stdio: "ignore" });
}
