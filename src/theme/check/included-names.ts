/** What a file gives names to, and what it includes: `include` shares variables both ways. */
export interface Naming {
  /** By `assign`, `capture` and counters: they are there until the page's end. */
  readonly kept: ReadonlySet<string>;
  /** By loops: they are there in what is included meanwhile. */
  readonly passing: ReadonlySet<string>;
  readonly includes: readonly Include[];
}

export interface Include {
  /** undefined: named by a variable, so that it may be any snippet. */
  readonly to: string | undefined;
  /** Names of its arguments. */
  readonly given: readonly string[];
}

/** The names that other files may have given a value when a file asks for them.
 *  @returns file -> names that are shared with it; arguments of its own are not among them */
export function includedNames(files: ReadonlyMap<string, Naming>): ReadonlyMap<string, ReadonlySet<string>> {
  const snippets = [...files.keys()].filter((file) => file.startsWith("snippets/"));
  const targets = ({ to }: Include): readonly string[] => (to === undefined ? snippets : files.has(to) ? [to] : []);
  const left = new Map([...files].map(([file, { kept }]) => [file, new Set(kept)] as const));
  repeat(() => {
    let isNew = false;
    for (const [file, { includes }] of files)
      for (const to of includes.flatMap(targets)) isNew = add(left.get(file), left.get(to)) || isNew;
    return isNew;
  });
  const around = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  const givenTo = new Map([...files.keys()].map((file) => [file, new Set<string>()] as const));
  for (const { includes } of files.values())
    for (const include of includes) for (const to of targets(include)) add(givenTo.get(to), include.given);
  repeat(() => {
    let isNew = false;
    for (const [file, { includes, passing }] of files)
      for (const to of includes.flatMap(targets))
        for (const names of [left.get(file), passing, around.get(file), givenTo.get(file)])
          isNew = add(around.get(to), names) || isNew;
    return isNew;
  });
  for (const [file, { includes }] of files)
    for (const to of includes.flatMap(targets)) add(around.get(file), left.get(to));
  return around;
}

/** Names only ever become more. */
function repeat(step: () => boolean): void {
  while (step()) {}
}

/** @returns whether there is a new one */
function add(to: Set<string> | undefined, names: Iterable<string> = []): boolean {
  const before = to?.size;
  for (const name of names) to?.add(name);
  return to?.size !== before;
}
