import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { availableMemory } from "node:process";

/** File system in memory of Linux. */
const MEMORY_FILES = "/dev/shm";
/** Minimum free memory in bytes, more than the files of all tests that run at the same time need. */
const MIN_FREE_BYTES = 6 * 1_024 ** 3;
/**
 * Memory in bytes for the databases of a test file on PostgreSQL. They are kept until the end, because deleting a
 * database takes a checkpoint.
 */
const BYTES_OF_POSTGRES_FILE = 48 * 1_024 ** 2;
/** Programs that tests unpack once per machine. They stay on the disk. */
const UNPACKED_ONCE = /^(?:chromium|al2023|fonts|fonts-cache|vitrine-postgres-programs-.*|vitrine-release-.*)$/;

/**
 * Creates a folder in memory for the temporary files of the tests: hundreds of stores are created and deleted, and
 * their databases sync every commit.
 * @param postgresFiles number of test files that run on PostgreSQL
 * @returns undefined if the machine has no such file system, or too little memory
 */
export function createMemoryFolder(postgresFiles: number): string | undefined {
  const neededBytes = MIN_FREE_BYTES + postgresFiles * BYTES_OF_POSTGRES_FILE;
  if (!existsSync(MEMORY_FILES) || !runsPrograms() || freeBytes() < neededBytes) return undefined;
  const checkout = createHash("sha256").update(process.cwd()).digest("hex").slice(0, 12);
  const folder = join(MEMORY_FILES, `vitrine-tests-${checkout}`);
  // An interrupted run leaves its folder.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o755 });
  for (const name of readdirSync(tmpdir()).filter((name) => UNPACKED_ONCE.test(name)))
    symlinkSync(join(tmpdir(), name), join(folder, name));
  return folder;
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(MEMORY_FILES);
  return Math.min(bavail * bsize, availableMemory());
}

/** Containers often mount the file system without the permission to run programs. */
function runsPrograms(): boolean {
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .findLast(([, path]) => path === MEMORY_FILES);
  return mount?.[3]?.split(",").includes("noexec") === false;
}
