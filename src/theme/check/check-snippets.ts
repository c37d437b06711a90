import type { CheckContext } from "./check-context.ts";
import type { SnippetInclusion } from "./check-templates.ts";

/** Reports snippets that are never rendered, and snippets that render themselves recursively. */
export function checkSnippets(context: CheckContext, inclusions: readonly SnippetInclusion[]): void {
  const usedFiles = new Set(
    inclusions
      .filter(({ includingFile, includedFile }) => includingFile !== includedFile)
      .map(({ includedFile: toFile }) => toFile),
  );
  for (const file of context.listFiles("snippets", ".liquid"))
    if (!usedFiles.has(file))
      context.add("warning", "unused-snippet", { file, line: 1, column: 1 }, "nothing renders this snippet: delete it");
  for (const cycle of findCycles(inclusions)) {
    const [firstInclusion] = cycle;
    if (firstInclusion === undefined) continue;
    const path = [...cycle.map(({ includingFile }) => includingFile), firstInclusion.includingFile].join(" → ");
    const location = context.locate(
      firstInclusion.includingFile,
      firstInclusion.offset,
      context.theme.source(firstInclusion.includingFile).liquid,
    );
    context.add("error", "circular-snippets", location, `renders itself recursively: ${path}`);
  }
}

/** Returns each cycle of files that include each other once, starting with the alphabetically first file. */
function findCycles(inclusions: readonly SnippetInclusion[]): SnippetInclusion[][] {
  const inclusionsByFile = Map.groupBy(
    inclusions.filter(({ includedFile }) => includedFile.startsWith("snippets/")),
    ({ includingFile }) => includingFile,
  );
  const cyclesByPath = new Map<string, SnippetInclusion[]>();
  const visitedFiles = new Set<string>();
  const path: SnippetInclusion[] = [];
  const visitFile = (file: string): void => {
    const cycleStart = path.findIndex(({ includingFile }) => includingFile === file);
    if (cycleStart >= 0) {
      const cycle = path.slice(cycleStart);
      const names = cycle.map(({ includingFile }) => includingFile);
      const firstIndex = names.indexOf([...names].sort()[0] as string);
      const normalizedCycle = [...cycle.slice(firstIndex), ...cycle.slice(0, firstIndex)];
      cyclesByPath.set(normalizedCycle.map(({ includingFile }) => includingFile).join(" "), normalizedCycle);
      return;
    }
    if (visitedFiles.has(file)) return;
    for (const inclusion of inclusionsByFile.get(file) ?? []) {
      path.push(inclusion);
      visitFile(inclusion.includedFile);
      path.pop();
    }
    visitedFiles.add(file);
  };
  for (const file of [...inclusionsByFile.keys()].sort()) visitFile(file);
  return [...cyclesByPath.values()];
}
