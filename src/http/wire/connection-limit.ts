import { readFileSync } from "node:fs";

/**
 * Returns the maximum number of open connections, from the process limit of open files. Each connection may need a
 * second file to serve, and some files are reserved. Infinity if the limit is unknown.
 */
export function connectionLimit(): number {
  return Math.max(1, Math.floor((openFileLimit() - RESERVED_FILES) / 2));
}

/** Number of files for the database, its log, the index, threads, standard streams, and short reads. */
const RESERVED_FILES = 80;

/** Returns the limit of open files. Node raises the soft limit to the hard limit at startup. */
function openFileLimit(): number {
  if (process.platform === "win32") return Number.POSITIVE_INFINITY;
  const softLimit = process.platform === "linux" ? readProcLimit() : readReportLimit();
  return /^\d+$/.test(softLimit) ? Number(softLimit) : Number.POSITIVE_INFINITY;
}

function readProcLimit(): string {
  return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? "";
}

/** Reads the limit from a diagnostic report, which takes about ten milliseconds. */
function readReportLimit(): string {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  return String(userLimits?.open_files?.soft ?? "");
}
