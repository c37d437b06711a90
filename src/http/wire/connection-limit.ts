import { readFileSync } from "node:fs";

/** How many connections may be open at once, by the process's limit of open files: each may hold a second one open, a file that it reads, and
 *  some stay free for the database, the theme and the index. Infinity where the limit is unknown. */
export function connectionLimit(): number {
  return Math.max(1, Math.floor((openFiles() - RESERVED) / 2));
}

/** Of the database, its log, the index, threads, standard streams, and files that are read for a moment. */
const RESERVED = 80;

/** Node has raised the soft limit to the hard one when it started. */
function openFiles(): number {
  if (process.platform === "win32") return Number.POSITIVE_INFINITY;
  const soft = process.platform === "linux" ? fromProc() : fromReport();
  return /^\d+$/.test(soft) ? Number(soft) : Number.POSITIVE_INFINITY;
}

function fromProc(): string {
  return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? "";
}

/** It takes some ten milliseconds to make. */
function fromReport(): string {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  return String(userLimits?.open_files?.soft ?? "");
}
