import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Removes declarations that the entry points do not need. A file that exports one needed type may also declare others.
 * @param all declaration files of tsc. Each statement starts at column 0
 * @param entrances files that keep all their declarations
 */
export function keepNeededDeclarations(all: readonly string[], entrances: readonly string[]): void {
  const read = new Map<string, readonly Statement[]>();
  const statementsIn = (file: string): readonly Statement[] => {
    const statements = read.get(file) ?? statementsOf(file);
    read.set(file, statements);
    return statements;
  };
  /** Names that other files need, by file. */
  const needed = new Map<string, Set<string>>();
  const need = (file: string, name: string): void => {
    const names = needed.get(file) ?? new Set();
    needed.set(file, names);
    if (names.has(name)) return;
    names.add(name);
    for (const statement of statementsIn(file)) {
      const there = statement.bindings?.get(name);
      if (there !== undefined && statement.from?.startsWith(".")) need(fileOf(file, statement.from), there);
      if (statement.name !== name) continue;
      for (const { name: own = "", bindings } of statementsIn(file))
        for (const word of bindings?.keys() ?? [own]) if (statement.words.has(word)) need(file, word);
      for (const [, from = "", what = ""] of statement.code.matchAll(/import\("(\.[^"]+)"\)\.([\w$]+)/g))
        need(fileOf(file, from), what);
    }
  };
  const needAll = (file: string): void => {
    for (const { code, name = "", from, bindings } of statementsIn(file)) {
      if (from?.startsWith(".") && bindings === undefined) needAll(fileOf(file, from));
      if (code.startsWith("export ")) for (const exportedName of bindings?.keys() ?? [name]) need(file, exportedName);
    }
  };
  for (const file of entrances) needAll(file);
  for (const file of all) {
    const names = needed.get(file);
    if (names === undefined) rmSync(file);
    else
      writeFileSync(
        file,
        `${statementsIn(file)
          .flatMap((statement) => textOf(statement, names))
          .join("\n")}\n`,
      );
  }
}

interface Statement {
  /** Text of the statement, with the comment before it. */
  readonly text: string;
  readonly code: string;
  /** Name of the declaration. */
  readonly name?: string;
  /** Identifiers in the statement. */
  readonly words: ReadonlySet<string>;
  /** Module of an import or re-export. */
  readonly from?: string;
  /** Exported name by local name. Undefined for `export *`. */
  readonly bindings?: ReadonlyMap<string, string>;
}

const margin = /^(?=import |export |declare |interface |type )/m;
const comments = /\/\*[\s\S]*?\*\//g;
const importing = /^(?:import|export) (?:type )?(?:\{([^}]*)\}|\* as ([\w$]+)) from "([^"]+)";$/;
const declaring =
  /^(?:export )?(?:declare )?(?:abstract )?(?:function|class|interface|type|const|let|enum|namespace) ([\w$]+)/;

function statementsOf(file: string): readonly Statement[] {
  let comment = "";
  return readFileSync(file, "utf8")
    .split(margin)
    .flatMap((part) => {
      // A comment at the end of a part belongs to the next statement.
      const [, own = "", after = ""] = /^([\s\S]*?)((?:\/\*(?:(?!\*\/)[\s\S])*\*\/\s*)*)$/.exec(part) ?? [];
      const text = comment + own.trimEnd();
      const code = own.replaceAll(comments, "").trim();
      comment = after;
      return code === "" ? [] : [statementOf(text, code)];
    });
}

function statementOf(text: string, code: string): Statement {
  const words = new Set(code.match(/[\w$]+/g));
  const [, list = "", all, from] = importing.exec(code) ?? [];
  const name = declaring.exec(code)?.[1];
  if (from !== undefined) return { text, code, words, from, bindings: all ? new Map([[all, "*"]]) : bindingsIn(list) };
  const again = /^export (?:type )?\* from "([^"]+)";$/.exec(code)?.[1];
  if (again !== undefined) return { text, code, words, from: again };
  if (name === undefined && code !== "export {};") throw new Error(`what this declares is not known: ${code}`);
  return { text, code, words, ...(name === undefined ? {} : { name }) };
}

function bindingsIn(list: string): ReadonlyMap<string, string> {
  const pairs = list.matchAll(/(?:^|,)\s*(?:type )?([\w$]+)(?: as ([\w$]+))?/g);
  return new Map(Array.from(pairs, ([, there = "", here = there]) => [here, there]));
}

function textOf({ text, code, name, from, bindings }: Statement, names: ReadonlySet<string>): readonly string[] {
  if (bindings === undefined) return name === undefined || names.has(name) ? [text] : [];
  const wanted = [...bindings].filter(([here]) => names.has(here));
  if (wanted.length === bindings.size) return [text];
  if (wanted.length === 0) return [];
  const list = wanted.map(([here, there]) => (here === there ? here : `${there} as ${here}`));
  return [`${code.startsWith("import") ? "import type" : "export"} { ${list.join(", ")} } from "${from}";`];
}

function fileOf(file: string, from: string): string {
  return join(dirname(file), from.replace(/\.[jt]s$/, ".d.ts"));
}
