import { readFileSync, writeFileSync } from "node:fs";
import { findConfigFile } from "./store-folder.ts";

/**
 * Returns the line number of a setting in a settings file, starting at 1. If the setting is missing, returns the line
 * of its nearest parent. The file is only scanned, not run, so computed settings are not found.
 * @param name path of the setting: "cart.maxLines", "menus.main[0].url"
 * @returns undefined if not even a parent is found
 */
export function findSettingLine(text: string, name: string): number | undefined {
  const startOffsets = findSettingOffsets(text);
  for (let part = name; part !== ""; part = part.replace(/(^|\.)[^.[]*$|\[\d+\]$/, "")) {
    const start = startOffsets.get(part);
    if (start !== undefined) return text.slice(0, start).split("\n").length;
  }
  return undefined;
}

interface OpenBracket {
  readonly openingBracket: string;
  /** Path of the object or list that the bracket opens; "" at the top level. */
  readonly name: string;
  /** Index of the current list item. */
  index: number;
  /** Path of the current object property. */
  property: string | undefined;
}

/** Tokens of JavaScript: comments, strings, names, and single characters. */
export const tokens =
  /\/\/[^\n]*|\/\*.*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[\p{L}$_][\p{L}\d$_]*|\S/gsu;

/** Returns the offset of each setting in a settings file by its path. Parses only keys, commas, and brackets. */
function findSettingOffsets(text: string): ReadonlyMap<string, number> {
  const startOffsets = new Map<string, number>();
  const brackets: OpenBracket[] = [{ openingBracket: "(", name: "", index: 0, property: undefined }];
  /** The current word if it may be a key, because it follows "{" or ",". */
  let word: { readonly name: string; readonly at: number } | undefined;
  let isKeyExpected = false;
  for (const { 0: token, index: tokenIndex } of text.matchAll(tokens)) {
    if (/^\/[/*]/.test(token)) continue;
    const bracket = brackets.at(-1);
    if (bracket === undefined) return startOffsets;
    if (word !== undefined && /^[:,}]$/.test(token)) {
      bracket.property = word.name;
      if (!startOffsets.has(word.name)) startOffsets.set(word.name, word.at);
    }
    word = undefined;
    if (isKeyExpected && /^["'\p{L}$_]/u.test(token)) {
      const key = token.replace(/^(["'])(.*)\1$/s, "$2");
      word = { name: bracket.name === "" ? key : `${bracket.name}.${key}`, at: tokenIndex };
    }
    isKeyExpected = token === "{" || (token === "," && bracket.openingBracket === "{");
    if (token === ",") {
      bracket.index += 1;
      bracket.property = undefined;
    }
    if (/^[{[(]$/.test(token)) {
      const name =
        bracket.openingBracket === "[" ? `${bracket.name}[${bracket.index}]` : (bracket.property ?? bracket.name);
      if (bracket.openingBracket === "[" && !startOffsets.has(name)) startOffsets.set(name, tokenIndex);
      brackets.push({ openingBracket: token, name, index: 0, property: undefined });
    } else if (/^[}\])]$/.test(token)) brackets.pop();
  }
  return startOffsets;
}

/**
 * Writes the currency into the settings file of a store. This works only if the file contains the currency as a string
 * literal.
 * @returns whether the currency was written
 */
export function writeCurrency(storeDir: string, currency: string): boolean {
  const file = findConfigFile(storeDir);
  if (file === undefined) return false;
  const text = readFileSync(file, "utf8");
  const matches = [...text.matchAll(/(?<=^|[\s{,])(currency\s*:\s*)(["'])[A-Z]{3}\2/g)];
  if (matches.length !== 1) return false;
  writeFileSync(
    file,
    text.replace(matches[0]?.[0] ?? "", (price) => price.replace(/[A-Z]{3}/, currency)),
  );
  return true;
}

/** Settings that `vitrine init` writes. Undefined settings keep their defaults. */
export interface InitialSettings {
  readonly name?: string | undefined;
  /** Default language of the shop. */
  readonly language?: string | undefined;
  /** ISO 3166-1 code. */
  readonly country?: string | undefined;
}

/** Writes settings into the settings file of a new store, which `vitrine init` has copied. */
export function writeFirstSettings(storeDir: string, { name, language, country }: InitialSettings): void {
  const file = findConfigFile(storeDir);
  if (file === undefined) return;
  let text = readFileSync(file, "utf8");
  const replace = (oldText: string, newText: string): void => {
    text = text.replace(oldText, () => newText);
  };
  if (name !== undefined) replace('name: "My shop"', `name: ${JSON.stringify(name)}`);
  if (language !== undefined) replace('default: "en"', `default: ${JSON.stringify(language)}`);
  if (country !== undefined)
    replace("others: [] },\n", `others: [] },\n  contact: { address: { country: ${JSON.stringify(country)} } },\n`);
  writeFileSync(file, text);
}
