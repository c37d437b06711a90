/** Variables that a file defines, and files that it includes. The tag `include` shares variables in both directions. */
export interface VariableNames {
  /** Variables set by `assign`, `capture` and counters, which exist until the end of the page. */
  readonly assignedNames: ReadonlySet<string>;
  /** Loop variables, which also exist in files included inside the loop. */
  readonly scopedNames: ReadonlySet<string>;
  readonly inclusionTags: readonly IncludeCall[];
}

export interface IncludeCall {
  /** The included file, or undefined if the name is an expression and can be any snippet. */
  readonly target: string | undefined;
  /** Names of the arguments passed to the included file. */
  readonly passedArguments: readonly string[];
}

/**
 * Finds variables that a file can read because another file sets them. This happens with `include`, which shares
 * variables.
 * @returns variable names by file, without the arguments passed to the file
 */
export function findSharedNames(files: ReadonlyMap<string, VariableNames>): ReadonlyMap<string, ReadonlySet<string>> {
  const snippets = [...files.keys()].filter((file) => file.startsWith("snippets/"));
  const findTargetFiles = ({ target: targetFile }: IncludeCall): readonly string[] =>
    targetFile === undefined ? snippets : files.has(targetFile) ? [targetFile] : [];
  const definedNames = new Map([...files].map(([file, { assignedNames }]) => [file, new Set(assignedNames)] as const));
  repeatUntilStable(() => {
    let hasChanged = false;
    for (const [file, { inclusionTags }] of files)
      for (const targetFile of inclusionTags.flatMap(findTargetFiles))
        hasChanged = addNames(definedNames.get(file), definedNames.get(targetFile)) || hasChanged;
    return hasChanged;
  });
  const sharedNames = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  const argumentsByFile = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  for (const { inclusionTags } of files.values())
    for (const inclusionTag of inclusionTags)
      for (const targetFile of findTargetFiles(inclusionTag))
        addNames(argumentsByFile.get(targetFile), inclusionTag.passedArguments);
  repeatUntilStable(() => {
    let hasChanged = false;
    for (const [file, { inclusionTags, scopedNames }] of files)
      for (const targetFile of inclusionTags.flatMap(findTargetFiles))
        for (const names of [definedNames.get(file), scopedNames, sharedNames.get(file), argumentsByFile.get(file)])
          hasChanged = addNames(sharedNames.get(targetFile), names) || hasChanged;
    return hasChanged;
  });
  for (const [file, { inclusionTags }] of files)
    for (const targetFile of inclusionTags.flatMap(findTargetFiles))
      addNames(sharedNames.get(file), definedNames.get(targetFile));
  return sharedNames;
}

/** Runs `step` until nothing changes. The loop ends because the sets only grow. */
function repeatUntilStable(step: () => boolean): void {
  while (step()) {}
}

/** Adds names to a set.  @returns whether the set grew */
function addNames(set: Set<string> | undefined, names: Iterable<string> = []): boolean {
  const oldSize = set?.size;
  for (const name of names) set?.add(name);
  return set?.size !== oldSize;
}
