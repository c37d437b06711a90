import type { CheckContext } from "./check-context.ts";
import type { Inclusion } from "./check-templates.ts";

/** Reports snippets that are never rendered, and snippets that render themselves recursively. */
export function checkSnippets(check: CheckContext, inclusions: readonly Inclusion[]): void {
  const usedFiles = new Set(inclusions.filter(({ from, to }) => from !== to).map(({ to }) => to));
  for (const file of check.files("snippets", ".liquid"))
    if (!usedFiles.has(file))
      check.add("warning", "unused-snippet", { file, line: 1, column: 1 }, "nothing renders this snippet: delete it");
  for (const cycle of findCycles(inclusions)) {
    const [firstUse] = cycle;
    if (firstUse === undefined) continue;
    const path = [...cycle.map(({ from }) => from), firstUse.from].join(" → ");
    const location = check.locate(firstUse.from, firstUse.offset, check.theme.source(firstUse.from).liquid);
    check.add("error", "circular-snippets", location, `renders itself recursively: ${path}`);
  }
}

/** Returns each cycle of files that include each other once, starting with the alphabetically first file. */
function findCycles(inclusions: readonly Inclusion[]): Inclusion[][] {
  const bySource = Map.groupBy(
    inclusions.filter(({ to }) => to.startsWith("snippets/")),
    ({ from }) => from,
  );
  const cycles = new Map<string, Inclusion[]>();
  const visited = new Set<string>();
  const path: Inclusion[] = [];
  const visit = (file: string): void => {
    const cycleStart = path.findIndex(({ from }) => from === file);
    if (cycleStart >= 0) {
      const cycle = path.slice(cycleStart);
      const names = cycle.map(({ from }) => from);
      const firstIndex = names.indexOf([...names].sort()[0] as string);
      const rotated = [...cycle.slice(firstIndex), ...cycle.slice(0, firstIndex)];
      cycles.set(rotated.map(({ from }) => from).join(" "), rotated);
      return;
    }
    if (visited.has(file)) return;
    for (const inclusion of bySource.get(file) ?? []) {
      path.push(inclusion);
      visit(inclusion.to);
      path.pop();
    }
    visited.add(file);
  };
  for (const file of [...bySource.keys()].sort()) visit(file);
  return [...cycles.values()];
}
