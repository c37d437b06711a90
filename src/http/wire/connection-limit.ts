import { readFileSync } from "node:fs";

/**
 * Maximum number of open connections, computed from the process's limit of open files: each connection may need a
 * second one for a file that it reads, and some stay free for the database, the theme, and the index. Infinity if the
 * limit is unknown.
 */
export function connectionLimit(): number {
  return Math.max(1, Math.floor((openFiles() - RESERVED) / 2));
}

/** Files of the database, its log, the index, threads, standard streams, and files that are read briefly. */
const RESERVED = 80;

/** Node raised the soft limit to the hard limit when it started. */
function openFiles(): number {
  if (process.platform === "win32") return Number.POSITIVE_INFINITY;
  const soft = process.platform === "linux" ? fromProc() : fromReport();
  return /^\d+$/.test(soft) ? Number(soft) : Number.POSITIVE_INFINITY;
}

function fromProc(): string {
  return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? "";
}

/** Creating the report takes about ten milliseconds. */
function fromReport(): string {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  return String(userLimits?.open_files?.soft ?? "");
}
