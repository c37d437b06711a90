import type { Config } from "../../config/settings.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import { lowerBound } from "../../runtime/lower-bound.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { JsonError, type JsonNode, readJsonTree } from "../files/json-tree.ts";
import { type Finding, Findings, type Severity, type SourceLocation } from "./finding.ts";
import type { StoreInfo } from "./known-store.ts";

/** Reports a problem.  @param offset offset in the text that was checked */
export type Reporter = (severity: Severity, offset: number, message: string) => void;

/** State that all checks of a theme share: the parsed theme and the problems found so far. */
export class CheckContext {
  readonly theme: CompiledTheme;
  readonly findings = new Findings();
  readonly compat: Config["compat"];
  /** The store that uses the theme, or undefined if the theme is checked without a store. */
  readonly store: StoreInfo | undefined;
  readonly #positions = new Map<string, PositionFinder>();

  constructor(theme: CompiledTheme, compat: Config["compat"], store?: StoreInfo) {
    this.theme = theme;
    this.compat = compat;
    this.store = store;
  }

  /** Returns the Liquid or JSON files of a folder, sorted. */
  listFiles(folder: string, extension: ".liquid" | ".json"): string[] {
    return [...this.theme.folder.texts.keys()]
      .filter((file) => file.startsWith(`${folder}/`) && file.endsWith(extension))
      .sort();
  }

  /** Returns the names of the sections or blocks of the theme, sorted. */
  listNames(folder: "sections" | "blocks"): string[] {
    return this.listFiles(folder, ".liquid").map((file) => file.slice(`${folder}/`.length, -".liquid".length));
  }

  /**
   * Returns a function that adds a problem in a file.
   * @param text text to which the offsets refer. Default: the text of the file
   * @param baseOffset start of the offsets in the text
   */
  createReporter(
    rule: string,
    file: string,
    { text, baseOffset = 0 }: { readonly text?: string; readonly baseOffset?: number } = {},
  ): Reporter {
    return (severity, offset, message) =>
      this.add(severity, rule, this.locate(file, baseOffset + offset, text), message);
  }

  /** Returns the Liquid of a file with comments replaced by blanks, which preserves offsets. */
  markup(file: string): string {
    return this.theme.source(file).liquid.replace(comments, (part) => part.replace(/[^\n]/g, " "));
  }

  /**
   * Converts an offset to file, line, and column.  @param offset in the file's text, or in `text` if only a part was
   * parsed
   */
  locate(file: string, offset: number, text = this.theme.folder.texts.get(file) ?? ""): SourceLocation {
    const key = `${file} ${text.length}`;
    const positions = getOrCreate(this.#positions, key, () => new PositionFinder(text));
    return { file, ...positions.positionAt(offset) };
  }

  /**
   * Adds a problem to the report.
   * @param subject catalog entry or menu that is missing. `removeExistingEntries` later drops problems with existing
   * entries
   */
  add(
    severity: Severity,
    rule: string,
    location: SourceLocation,
    message: string,
    subject?: Pick<Finding, "entry" | "menu">,
  ): void {
    this.findings.add(severity, rule, location, message, subject);
  }

  /**
   * Parses a JSON file or a fragment of a file, and reports a syntax error.
   * @param baseOffset offset of the fragment
   * @returns undefined if the text is invalid, or if there is no such file
   */
  json(file: string, rule: string, text = this.theme.folder.texts.get(file), baseOffset = 0): JsonNode | undefined {
    if (text === undefined) return undefined;
    try {
      return readJsonTree(text);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      this.add("error", rule, this.locate(file, baseOffset + error.offset), `invalid JSON: ${error.message}`);
      return undefined;
    }
  }
}

const comments = /\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}|<!--[\s\S]*?-->/g;

/** Converts an offset in a text to line and column, which both start at 1. */
class PositionFinder {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1))
      this.#starts.push(index + 1);
  }

  positionAt(offset: number): { readonly line: number; readonly column: number } {
    const line = lowerBound(0, this.#starts.length, (index) => (this.#starts[index] as number) <= offset);
    return { line, column: offset - (this.#starts[line - 1] as number) + 1 };
  }
}
