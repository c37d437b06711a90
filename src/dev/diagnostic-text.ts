import type { Diagnostic } from "./diagnostic.ts";

/** Formats a diagnostic: "theme/sections/a.liquid:3:5: warning: unknown …", then the excerpt, with its line marked. */
export function formatDiagnostic({ severity, message, file, line, column, excerpt = [] }: Diagnostic): string[] {
  const locationText = [file, line, column].filter((part) => part !== undefined).join(":");
  const width = String(excerpt.at(-1)?.number ?? 0).length;
  const firstLine = [...(locationText === "" ? [] : [locationText]), severity, message].join(": ");
  return [
    firstLine,
    ...excerpt.map(({ number, text, isMarked }) =>
      `${isMarked === true ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd(),
    ),
  ];
}
