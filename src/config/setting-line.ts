import { readFileSync, writeFileSync } from "node:fs";
import { configFile } from "./store-folder.ts";

/**
 * Returns the 1-based line of a setting in the text of a store's settings, or the line of its nearest parent with one.
 * Scans the text without running it: finds no computed settings.
 * @param name "cart.maxLines", "menus.main[0].url"
 * @returns undefined if no part of the name is found
 */
export function settingLine(text: string, name: string): number | undefined {
  const starts = settingStarts(text);
  for (let part = name; part !== ""; part = part.replace(/(^|\.)[^.[]*$|\[\d+\]$/, "")) {
    const start = starts.get(part);
    if (start !== undefined) return text.slice(0, start).split("\n").length;
  }
  return undefined;
}

interface Bracket {
  readonly opening: string;
  /** Name of the bracketed value; "" outside all objects and lists. */
  readonly name: string;
  /** Index of the current item of a list. */
  index: number;
  /** Name of the current property of an object. */
  property: string | undefined;
}

const tokens =
  /\/\/[^\n]*|\/\*.*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\p{L}$_][\p{L}\d$_]*|\S/gsu;

/** Returns where each setting starts in the text, by keys, commas, and brackets. */
function settingStarts(text: string): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  const brackets: Bracket[] = [{ opening: "(", name: "", index: 0, property: undefined }];
  /** A word that may be a key: the first one after "{" or ",". */
  let word: { readonly name: string; readonly at: number } | undefined;
  let isKeyNext = false;
  for (const { 0: token, index: at } of text.matchAll(tokens)) {
    if (/^\/[/*]/.test(token)) continue;
    const inside = brackets.at(-1);
    if (inside === undefined) return starts;
    if (word !== undefined && /^[:,}]$/.test(token)) {
      inside.property = word.name;
      if (!starts.has(word.name)) starts.set(word.name, word.at);
    }
    word = undefined;
    if (isKeyNext && /^["'\p{L}$_]/u.test(token)) {
      const key = token.replace(/^(["'])(.*)\1$/s, "$2");
      word = { name: inside.name === "" ? key : `${inside.name}.${key}`, at };
    }
    isKeyNext = token === "{" || (token === "," && inside.opening === "{");
    if (token === ",") {
      inside.index += 1;
      inside.property = undefined;
    }
    if (/^[{[(]$/.test(token)) {
      const name = inside.opening === "[" ? `${inside.name}[${inside.index}]` : (inside.property ?? inside.name);
      if (inside.opening === "[" && !starts.has(name)) starts.set(name, at);
      brackets.push({ opening: token, name, index: 0, property: undefined });
    } else if (/^[}\])]$/.test(token)) brackets.pop();
  }
  return starts;
}

/** Writes the currency into a store's settings if they contain it literally.  @returns whether it was written */
export function writeCurrency(storeDir: string, currency: string): boolean {
  const file = configFile(storeDir);
  if (file === undefined) return false;
  const text = readFileSync(file, "utf8");
  const places = [...text.matchAll(/(?<=^|[\s{,])(currency\s*:\s*)(["'])[A-Z]{3}\2/g)];
  if (places.length !== 1) return false;
  writeFileSync(
    file,
    text.replace(places[0]?.[0] ?? "", (written) => written.replace(/[A-Z]{3}/, currency)),
  );
  return true;
}
