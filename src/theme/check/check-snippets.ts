import type { Use } from "./check-templates.ts";
import type { ThemeUnderCheck } from "./theme-under-check.ts";

/** Reports snippets that are never rendered, and snippets that render themselves recursively. */
export function checkSnippets(check: ThemeUnderCheck, uses: readonly Use[]): void {
  const used = new Set(uses.filter(({ from, to }) => from !== to).map(({ to }) => to));
  for (const file of check.files("snippets", ".liquid"))
    if (!used.has(file))
      check.add("warning", "unused-snippet", { file, line: 1, column: 1 }, "nothing renders this snippet: delete it");
  for (const ring of rings(uses)) {
    const [first] = ring;
    if (first === undefined) continue;
    const path = [...ring.map(({ from }) => from), first.from].join(" → ");
    const place = check.place(first.from, first.at, check.theme.source(first.from).liquid);
    check.add("error", "circular-snippets", place, `renders itself without end: ${path}`);
  }
}

/** Returns each cycle of files once, starting with the alphabetically first file name. */
function rings(uses: readonly Use[]): Use[][] {
  const bySource = Map.groupBy(
    uses.filter(({ to }) => to.startsWith("snippets/")),
    ({ from }) => from,
  );
  const found = new Map<string, Use[]>();
  const done = new Set<string>();
  const path: Use[] = [];
  const visit = (file: string): void => {
    const begin = path.findIndex(({ from }) => from === file);
    if (begin >= 0) {
      const ring = path.slice(begin);
      const names = ring.map(({ from }) => from);
      const first = names.indexOf([...names].sort()[0] as string);
      const turned = [...ring.slice(first), ...ring.slice(0, first)];
      found.set(turned.map(({ from }) => from).join(" "), turned);
      return;
    }
    if (done.has(file)) return;
    for (const use of bySource.get(file) ?? []) {
      path.push(use);
      visit(use.to);
      path.pop();
    }
    done.add(file);
  };
  for (const file of [...bySource.keys()].sort()) visit(file);
  return [...found.values()];
}
