/** Names that a file defines, and files that it includes. `include` shares variables in both directions. */
export interface Naming {
  /** Variables defined by `assign`, `capture` and counters, which live until the end of the page. */
  readonly assigned: ReadonlySet<string>;
  /** Variables defined by loops, which also exist in files included inside the loop. */
  readonly scoped: ReadonlySet<string>;
  readonly includes: readonly Include[];
}

export interface Include {
  /** The included file, or undefined if the name is an expression and can be any snippet. */
  readonly to: string | undefined;
  /** Names of the passed arguments. */
  readonly passed: readonly string[];
}

/**
 * Returns the variables that other files may define before a file reads them.
 * @returns the shared variables of each file, without the file's arguments
 */
export function includedNames(files: ReadonlyMap<string, Naming>): ReadonlyMap<string, ReadonlySet<string>> {
  const snippets = [...files.keys()].filter((file) => file.startsWith("snippets/"));
  const targets = ({ to }: Include): readonly string[] => (to === undefined ? snippets : files.has(to) ? [to] : []);
  const left = new Map([...files].map(([file, { assigned }]) => [file, new Set(assigned)] as const));
  repeat(() => {
    let isNew = false;
    for (const [file, { includes }] of files)
      for (const to of includes.flatMap(targets)) isNew = add(left.get(file), left.get(to)) || isNew;
    return isNew;
  });
  const around = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  const argumentsOf = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  for (const { includes } of files.values())
    for (const include of includes) for (const to of targets(include)) add(argumentsOf.get(to), include.passed);
  repeat(() => {
    let isNew = false;
    for (const [file, { includes, scoped }] of files)
      for (const to of includes.flatMap(targets))
        for (const names of [left.get(file), scoped, around.get(file), argumentsOf.get(file)])
          isNew = add(around.get(to), names) || isNew;
    return isNew;
  });
  for (const [file, { includes }] of files)
    for (const to of includes.flatMap(targets)) add(around.get(file), left.get(to));
  return around;
}

/** Runs `step` until nothing changes. The loop ends because the sets only grow. */
function repeat(step: () => boolean): void {
  while (step()) {}
}

/** Adds names to a set.  @returns whether the set grew */
function add(to: Set<string> | undefined, names: Iterable<string> = []): boolean {
  const before = to?.size;
  for (const name of names) to?.add(name);
  return to?.size !== before;
}
