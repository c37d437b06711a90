import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getOrCreate } from "../src/runtime/cache.ts";

/**
 * Removes declarations that the entry points do not need. A file that exports one needed type may also declare others.
 * @param files declaration files of tsc. Each statement starts at column 0
 * @param entryFiles files that keep all their declarations
 */
export function keepNeededDeclarations(files: readonly string[], entryFiles: readonly string[]): void {
  const statementsByFile = new Map<string, readonly Statement[]>();
  const statementsIn = (file: string): readonly Statement[] => {
    return getOrCreate(statementsByFile, file, () => statementsOf(file));
  };
  /** Names that other files need, by file. */
  const neededNames = new Map<string, Set<string>>();
  const keepName = (file: string, name: string): void => {
    const names = getOrCreate(neededNames, file, () => new Set());
    if (names.has(name)) return;
    names.add(name);
    for (const statement of statementsIn(file)) {
      const exportedAs = statement.bindings?.get(name);
      if (exportedAs !== undefined && statement.from?.startsWith("."))
        keepName(fileOf(file, statement.from), exportedAs);
      if (statement.name !== name) continue;
      for (const { name: declaredName = "", bindings } of statementsIn(file))
        for (const word of bindings?.keys() ?? [declaredName]) if (statement.words.has(word)) keepName(file, word);
      for (const [, from = "", typeName = ""] of statement.code.matchAll(/import\("(\.[^"]+)"\)\.([\w$]+)/g))
        keepName(fileOf(file, from), typeName);
    }
  };
  const keepAll = (file: string): void => {
    for (const { code, name = "", from, bindings } of statementsIn(file)) {
      if (from?.startsWith(".") && bindings === undefined) keepAll(fileOf(file, from));
      if (code.startsWith("export "))
        for (const exportedName of bindings?.keys() ?? [name]) keepName(file, exportedName);
    }
  };
  for (const file of entryFiles) keepAll(file);
  for (const file of files) {
    const names = neededNames.get(file);
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
const importPattern = /^(?:import|export) (?:type )?(?:\{([^}]*)\}|\* as ([\w$]+)) from "([^"]+)";$/;
const declarationPattern =
  /^(?:export )?(?:declare )?(?:abstract )?(?:function|class|interface|type|const|let|enum|namespace) ([\w$]+)/;

function statementsOf(file: string): readonly Statement[] {
  let comment = "";
  return readFileSync(file, "utf8")
    .split(margin)
    .flatMap((part) => {
      // The file was split at the starts of statements. A comment at the end of a part therefore belongs to the next
      // statement.
      const [, statementText = "", trailingComment = ""] =
        /^([\s\S]*?)((?:\/\*(?:(?!\*\/)[\s\S])*\*\/\s*)*)$/.exec(part) ?? [];
      const text = comment + statementText.trimEnd();
      const code = statementText.replaceAll(comments, "").trim();
      comment = trailingComment;
      return code === "" ? [] : [statementOf(text, code)];
    });
}

function statementOf(text: string, code: string): Statement {
  const words = new Set(code.match(/[\w$]+/g));
  const [, list = "", namespaceName, from] = importPattern.exec(code) ?? [];
  const name = declarationPattern.exec(code)?.[1];
  if (from !== undefined)
    return { text, code, words, from, bindings: namespaceName ? new Map([[namespaceName, "*"]]) : bindingsIn(list) };
  const reexportedModule = /^export (?:type )?\* from "([^"]+)";$/.exec(code)?.[1];
  if (reexportedModule !== undefined) return { text, code, words, from: reexportedModule };
  if (name === undefined && code !== "export {};") throw new Error(`what this declares is not known: ${code}`);
  return { text, code, words, ...(name === undefined ? {} : { name }) };
}

function bindingsIn(list: string): ReadonlyMap<string, string> {
  const pairs = list.matchAll(/(?:^|,)\s*(?:type )?([\w$]+)(?: as ([\w$]+))?/g);
  return new Map(Array.from(pairs, ([, exportedAs = "", localName = exportedAs]) => [localName, exportedAs]));
}

function textOf({ text, code, name, from, bindings }: Statement, names: ReadonlySet<string>): readonly string[] {
  if (bindings === undefined) return name === undefined || names.has(name) ? [text] : [];
  const keptBindings = [...bindings].filter(([localName]) => names.has(localName));
  if (keptBindings.length === bindings.size) return [text];
  if (keptBindings.length === 0) return [];
  const list = keptBindings.map(([localName, exportedAs]) =>
    localName === exportedAs ? localName : `${exportedAs} as ${localName}`,
  );
  return [`${code.startsWith("import") ? "import type" : "export"} { ${list.join(", ")} } from "${from}";`];
}

function fileOf(file: string, from: string): string {
  return join(dirname(file), from.replace(/\.[jt]s$/, ".d.ts"));
}
