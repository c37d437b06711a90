import { readFileSync } from "node:fs";

/**
 * Returns the maximum number of open connections, from the process limit of open files. Each connection may need a
 * second file to serve, and some files are reserved. Infinity if the limit is unknown.
 */
export function connectionLimit(): number {
  return Math.max(1, Math.floor((openFiles() - RESERVED) / 2));
}

/** Number of files for the database, its log, the index, threads, standard streams, and short reads. */
const RESERVED = 80;

/** Returns the limit of open files. Node raises the soft limit to the hard limit at startup. */
function openFiles(): number {
  if (process.platform === "win32") return Number.POSITIVE_INFINITY;
  const soft = process.platform === "linux" ? fromProc() : fromReport();
  return /^\d+$/.test(soft) ? Number(soft) : Number.POSITIVE_INFINITY;
}

function fromProc(): string {
  return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? "";
}

/** Reads the limit from a diagnostic report, which takes about ten milliseconds. */
function fromReport(): string {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  return String(userLimits?.open_files?.soft ?? "");
}
