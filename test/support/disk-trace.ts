import { spawnSync } from "node:child_process";
import { closeSync, cpSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import type { Random } from "../../bench/random.ts";

/** A call of the operating system that changed or synced a file. Times are in milliseconds since 1970. */
interface DiskCall {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly change: FileChange | "sync";
}

type FileChange = { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };

/** Calls of a process on some files, in order. */
export type DiskTrace = readonly DiskCall[];

/** Returns whether this machine can trace processes with strace. */
export function canTraceDisk(): boolean {
  return process.platform === "linux" && spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
}

/**
 * Returns a line of `sh` that runs the program "$0" and records its calls. The trace is complete when the program has
 * ended and its output is closed.
 * @param paths files whose calls are recorded
 */
export function formatTraceCommand(paths: readonly string[], traceFile: string): string {
  const calls = "write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,ftruncate,fallocate";
  const files = paths.map((path) => `-P '${path}'`).join(" ");
  return `exec strace -D -f -qq --seccomp-bpf -ttt -T -y -xx -s 67108864 -e trace=${calls} ${files} -o '${traceFile}' "$0" "$@"`;
}

/** @throws Error if the trace contains calls whose effect is unknown */
export function parseDiskTrace(text: string): DiskTrace {
  const unfinishedLines = new Map<string, string>();
  const calls: DiskCall[] = [];
  for (const line of text.split("\n")) {
    const [, thread = "", call = ""] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const unfinished = / <unfinished \.\.\.>$/.exec(call);
    if (unfinished !== null) {
      unfinishedLines.set(thread, call.slice(0, unfinished.index));
      continue;
    }
    const resumed = /^[\d.]+ <\.\.\. \w+ resumed>(.*)$/s.exec(call);
    const parsedCall = parseCall(resumed === null ? call : `${unfinishedLines.get(thread)}${resumed[1]}`);
    if (parsedCall !== undefined) calls.push(parsedCall);
  }
  return calls.sort((a, b) => a.start - b.start);
}

function parseCall(call: string): DiskCall | undefined {
  const parts = /^([\d.]+) (\w+)\(\d+<([\\x0-9a-f]+)>(.*)\) += (-?\d+)[^<]*<([\d.]+)>$/s.exec(call);
  const [, startText, name = "", pathText = "", args = "", result, duration] = parts ?? [];
  if (parts === null || Number(result) < 0) return undefined;
  const start = Number(startText) * 1_000;
  const common = { path: decodeHex(pathText).toString(), start, end: start + Number(duration) * 1_000 };
  if (name === "fsync" || name === "fdatasync") return { ...common, change: "sync" };
  if (name === "ftruncate") return { ...common, change: { size: Number(args.slice(2)) } };
  const write = name === "pwrite64" ? /^, "([\\x0-9a-f]*)", (\d+), (\d+)$/.exec(args) : null;
  if (write === null) throw new Error(`the trace has an unknown call: ${name}${args.slice(-100)}`);
  const bytes = decodeHex(write[1] ?? "").subarray(0, Number(result));
  return { ...common, change: { offset: Number(write[3]), bytes } };
}

function decodeHex(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}

/** Bytes that a disk writes completely or not at all. */
const SECTOR_BYTES = 512;
/** Bytes that the operating system writes to the disk at once, unless the power fails meanwhile. */
const PAGE_BYTES = 4_096;

export interface PowerCut {
  /** Folder with the files before the trace. */
  readonly initialDir: string;
  /** Time of the cut in milliseconds since 1970. */
  readonly time: number;
  readonly random: Random;
  /** Whether syncs have no effect, as with a disk that lies. */
  readonly ignoresSyncs: boolean;
}

/**
 * Creates the files that a disk may contain after a power cut. Changes before a sync that had ended are complete. Of each
 * later change, any pages may be missing, and some pages are torn. The file may also be shorter.
 * @param dir a new folder
 */
export function createDiskImage(trace: DiskTrace, { initialDir, time, random, ignoresSyncs }: PowerCut, dir: string) {
  cpSync(initialDir, dir, { recursive: true });
  for (const [path, calls] of Map.groupBy(trace, (call) => call.path)) {
    const file = openSync(join(dir, basename(path)), "a+", 0o600);
    closeSync(file);
    const fd = openSync(join(dir, basename(path)), "r+");
    const lastSync = calls.findLast(({ change, end }) => change === "sync" && end <= time && !ignoresSyncs);
    for (const { change, start, end } of calls) {
      if (change === "sync" || start >= time) continue;
      const isDurable = lastSync !== undefined && end <= lastSync.start;
      if ("size" in change) {
        if (isDurable || random.below(2) === 0) ftruncateSync(fd, change.size);
      } else if (isDurable) writeSync(fd, change.bytes, 0, change.bytes.length, change.offset);
      else writeParts(fd, change, random);
    }
    closeSync(fd);
  }
}

/** Writes random pages of a change, and of some pages only random sectors. */
function writeParts(fd: number, { offset, bytes }: { offset: number; bytes: Buffer }, random: Random): void {
  for (let start = offset; start < offset + bytes.length; ) {
    const pageEnd = (Math.floor(start / PAGE_BYTES) + 1) * PAGE_BYTES;
    const end = Math.min(pageEnd, offset + bytes.length);
    const isTorn = random.below(8) === 0;
    if (isTorn) {
      for (let sector = start; sector < end; ) {
        const sectorEnd = Math.min(end, (Math.floor(sector / SECTOR_BYTES) + 1) * SECTOR_BYTES);
        if (random.below(2) === 0) writeSync(fd, bytes, sector - offset, sectorEnd - sector, sector);
        sector = sectorEnd;
      }
    } else if (random.below(2) === 0) writeSync(fd, bytes, start - offset, end - start, start);
    start = end;
  }
}

export function readDiskTrace(file: string): DiskTrace {
  return parseDiskTrace(readFileSync(file, "latin1"));
}
