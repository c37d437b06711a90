import type { Diagnostic } from "./diagnostic.ts";
import { diagnosticLines } from "./diagnostic-text.ts";

/** Maximum number of printed diagnostics. The number of further ones is printed after them. */
const MAX_SHOWN = 10;

/**
 * Prints each diagnostic once to a terminal, and reports when all errors are fixed. Warnings are printed on one line.
 * @returns a function that receives all current diagnostics
 */
export function createDiagnosticPrinter(write: (line: string) => void): (diagnostics: readonly Diagnostic[]) => void {
  let known: ReadonlyMap<string, Diagnostic> = new Map();
  return (diagnostics) => {
    const now = new Map(diagnostics.map((diagnostic) => [keyOf(diagnostic), diagnostic]));
    const fresh = [...now].flatMap(([key, diagnostic]) => (known.has(key) ? [] : [diagnostic]));
    const isFixed = [...known].some(([key, { severity }]) => severity === "error" && !now.has(key));
    known = now;
    for (const diagnostic of fresh.slice(0, MAX_SHOWN)) {
      const [head = "", ...lines] = diagnosticLines(diagnostic);
      write(head);
      if (diagnostic.severity === "error") for (const line of lines) write(line);
    }
    if (fresh.length > MAX_SHOWN) write(`… and ${fresh.length - MAX_SHOWN} more: the page lists them.`);
    if (isFixed && ![...now.values()].some(({ severity }) => severity === "error")) write("All errors are fixed.");
  };
}

function keyOf({ file = "", line = 0, message }: Diagnostic): string {
  return `${file}:${line} ${message}`;
}
