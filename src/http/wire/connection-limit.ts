import { readFileSync } from "node:fs";

/**
 * Returns the maximum number of open connections. It is derived from the process limit of open files, because each
 * connection uses one file and may need another one to send. Returns Infinity if the limit is unknown.
 */
export function getConnectionLimit(): number {
  return Math.max(1, Math.floor((readFileLimit() - RESERVED_FILE_COUNT) / 2));
}

/** Number of open files that are reserved for the database, the log, the search index, and threads. */
const RESERVED_FILE_COUNT = 80;

/** Returns the maximum number of open files of the process. Node raises the soft limit to the hard limit at startup. */
function readFileLimit(): number {
  if (process.platform === "win32") return Number.POSITIVE_INFINITY;
  const softLimit = process.platform === "linux" ? readLinuxLimit() : readLimitFromReport();
  return /^\d+$/.test(softLimit) ? Number(softLimit) : Number.POSITIVE_INFINITY;
}

function readLinuxLimit(): string {
  return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? "";
}

/** Reads the limit from a diagnostic report of Node, which takes about ten milliseconds. */
function readLimitFromReport(): string {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  return String(userLimits?.open_files?.soft ?? "");
}
