/** Names that a file defines, and files that it includes. `include` shares variables in both directions. */
export interface FileNames {
  /** Variables defined by `assign`, `capture` and counters, which live until the end of the page. */
  readonly assignedNames: ReadonlySet<string>;
  /** Variables defined by loops, which also exist in files included inside the loop. */
  readonly scopedNames: ReadonlySet<string>;
  readonly includes: readonly Include[];
}

export interface Include {
  /** The included file, or undefined if the name is an expression and can be any snippet. */
  readonly target: string | undefined;
  /** Names of the passed arguments. */
  readonly passedArguments: readonly string[];
}

/**
 * Returns the variables that other files may define before a file reads them.
 * @returns the shared variables of each file, without the file's arguments
 */
export function includedNames(files: ReadonlyMap<string, FileNames>): ReadonlyMap<string, ReadonlySet<string>> {
  const snippets = [...files.keys()].filter((file) => file.startsWith("snippets/"));
  const findTargets = ({ target: to }: Include): readonly string[] =>
    to === undefined ? snippets : files.has(to) ? [to] : [];
  const definedNames = new Map([...files].map(([file, { assignedNames }]) => [file, new Set(assignedNames)] as const));
  repeat(() => {
    let hasChanged = false;
    for (const [file, { includes }] of files)
      for (const to of includes.flatMap(findTargets))
        hasChanged = add(definedNames.get(file), definedNames.get(to)) || hasChanged;
    return hasChanged;
  });
  const sharedNames = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  const argumentsOf = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  for (const { includes } of files.values())
    for (const include of includes)
      for (const to of findTargets(include)) add(argumentsOf.get(to), include.passedArguments);
  repeat(() => {
    let hasChanged = false;
    for (const [file, { includes, scopedNames }] of files)
      for (const to of includes.flatMap(findTargets))
        for (const names of [definedNames.get(file), scopedNames, sharedNames.get(file), argumentsOf.get(file)])
          hasChanged = add(sharedNames.get(to), names) || hasChanged;
    return hasChanged;
  });
  for (const [file, { includes }] of files)
    for (const to of includes.flatMap(findTargets)) add(sharedNames.get(file), definedNames.get(to));
  return sharedNames;
}

/** Runs `step` until nothing changes. The loop ends because the sets only grow. */
function repeat(step: () => boolean): void {
  while (step()) {}
}

/** Adds names to a set.  @returns whether the set grew */
function add(set: Set<string> | undefined, names: Iterable<string> = []): boolean {
  const oldSize = set?.size;
  for (const name of names) set?.add(name);
  return set?.size !== oldSize;
}
