import type { Diagnostic } from "./diagnostic.ts";
import { formatDiagnostic } from "./diagnostic.ts";

/** Maximum number of printed diagnostics. The number of further ones is printed after them. */
const MAX_PRINTED_DIAGNOSTICS = 10;

/**
 * Prints each diagnostic once to a terminal, and reports when all errors are fixed. Warnings are printed on one line.
 * @returns a function that receives all current diagnostics
 */
export function createDiagnosticPrinter(write: (line: string) => void): (diagnostics: readonly Diagnostic[]) => void {
  let previousDiagnostics: ReadonlyMap<string, Diagnostic> = new Map();
  return (diagnostics) => {
    const currentDiagnostics = new Map(diagnostics.map((diagnostic) => [diagnosticKeyOf(diagnostic), diagnostic]));
    const newDiagnostics = [...currentDiagnostics].flatMap(([key, diagnostic]) =>
      previousDiagnostics.has(key) ? [] : [diagnostic],
    );
    const hasFixedError = [...previousDiagnostics].some(
      ([key, { severity }]) => severity === "error" && !currentDiagnostics.has(key),
    );
    previousDiagnostics = currentDiagnostics;
    for (const diagnostic of newDiagnostics.slice(0, MAX_PRINTED_DIAGNOSTICS)) {
      const [firstLine = "", ...lines] = formatDiagnostic(diagnostic);
      write(firstLine);
      if (diagnostic.severity === "error") for (const line of lines) write(line);
    }
    if (newDiagnostics.length > MAX_PRINTED_DIAGNOSTICS)
      write(`… and ${newDiagnostics.length - MAX_PRINTED_DIAGNOSTICS} more: the page lists them.`);
    if (hasFixedError && ![...currentDiagnostics.values()].some(({ severity }) => severity === "error"))
      write("All errors are fixed.");
  };
}

function diagnosticKeyOf({ file = "", line = 0, message }: Diagnostic): string {
  return `${file}:${line} ${message}`;
}
