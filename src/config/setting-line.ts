import { readFileSync, writeFileSync } from "node:fs";
import { configFile } from "./store-folder.ts";

/** The line on which a setting stands in the text of a store's settings, from 1; of what it is part of where it has none of its own.
 *  The text is looked at, not run: a setting that is computed elsewhere is not found.
 *  @param name "cart.maxLines", "menus.main[0].url"  @returns undefined where nothing of the name is there */
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
  /** Name of what stands between the brackets, "" outside all objects and lists. */
  readonly name: string;
  /** Of a list, which item is being read. */
  index: number;
  /** Of an object, the name of the property whose value is being read. */
  property: string | undefined;
}

const tokens =
  /\/\/[^\n]*|\/\*.*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\p{L}$_][\p{L}\d$_]*|\S/gsu;

/** Names of settings -> where each begins in the text, by its keys, commas and brackets. */
function settingStarts(text: string): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  const brackets: Bracket[] = [{ opening: "(", name: "", index: 0, property: undefined }];
  /** A word that may be a key: the first after "{" or ",". */
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

/** Writes the currency into a store's settings where they name one in so many letters. @returns false where they do not, and nothing was written */
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
