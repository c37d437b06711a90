import { entriesOf, type JsonNode, textValue } from "../files/json-tree.ts";
import type { SourceLocation } from "./finding.ts";
import { defaultTexts, pluralForms } from "./known-names.ts";
import type { ThemeUnderCheck } from "./theme-under-check.ts";

/**
 * Compares the translations of each language with the theme's default language.
 * @param locale the shop's default language
 */
export function checkLocales(check: ThemeUnderCheck, locale: string): void {
  const defaultFile = defaultTexts(check, locale);
  const files = check.files("locales", ".json");
  const trees = new Map(files.map((file) => [file, check.json(file, "locale")] as const));
  const root = defaultFile === undefined ? undefined : trees.get(defaultFile);
  if (root === undefined || defaultFile === undefined) return;
  const known = textsIn(root);
  checkPlurals(check, defaultFile, known);
  for (const [file, tree] of trees) {
    if (tree === undefined || file === defaultFile || file.endsWith(".schema.json")) continue;
    compare(check, { file, texts: textsIn(tree) }, { file: defaultFile, texts: known });
    checkPlurals(check, file, textsIn(tree));
  }
}

interface Text {
  readonly at: number;
  readonly text: string;
}

interface LocaleFile {
  readonly file: string;
  readonly texts: ReadonlyMap<string, Text>;
}

function textsIn(root: JsonNode): Map<string, Text> {
  const texts = new Map<string, Text>();
  const collect = (node: JsonNode, prefix: string): void => {
    for (const { key, at, value } of entriesOf(node)) {
      const text = textValue(value);
      if (text === undefined) collect(value, `${prefix}${key}.`);
      else texts.set(prefix + key, { at, text });
    }
  };
  collect(root, "");
  return texts;
}

/** Returns the key, or the key without its plural form if one of the files has the plural key. */
function base(key: string, own: LocaleFile, main: LocaleFile): string {
  const dot = key.lastIndexOf(".");
  if (!pluralForms.includes(key.slice(dot + 1))) return key;
  const parent = key.slice(0, Math.max(dot, 0));
  return own.texts.has(`${parent}.other`) || main.texts.has(`${parent}.other`) ? parent : key;
}

function compare(check: ThemeUnderCheck, own: LocaleFile, main: LocaleFile): void {
  const baseKeys = new Set([...own.texts.keys()].map((key) => base(key, own, main)));
  const mainKeys = new Set([...main.texts.keys()].map((key) => base(key, own, main)));
  const top: SourceLocation = { file: own.file, line: 1, column: 1 };
  const missing = [...mainKeys].filter((key) => !baseKeys.has(key));
  if (missing.length > 0)
    check.add(
      "warning",
      "locale",
      top,
      `lacks ${counted(missing)}, shown in the language of ${main.file}: ${some(missing)}`,
    );
  const extra = [...baseKeys].filter((key) => !mainKeys.has(key));
  if (extra.length > 0)
    check.add("warning", "locale", top, `has ${counted(extra)} that ${main.file} lacks: ${some(extra)}`);
  for (const [key, { at, text }] of own.texts) {
    const name = base(key, own, main);
    const named = holes(text);
    if (named.length === 0 || !mainKeys.has(name)) continue;
    const offered = new Set(pluralForms.flatMap((form) => holes(main.texts.get(`${name}.${form}`)?.text)));
    for (const hole of [...holes(main.texts.get(name)?.text), "count"]) offered.add(hole);
    for (const hole of named)
      if (!offered.has(hole))
        check.add(
          "warning",
          "locale",
          check.place(own.file, at),
          `"${key}" names {{ ${hole} }}, which the text of ${main.file} does not`,
        );
  }
}

/** Checks that every plural form of the language, or the form `other`, exists. */
function checkPlurals(check: ThemeUnderCheck, file: string, texts: ReadonlyMap<string, Text>): void {
  const [, locale = "en"] = /^locales\/([\w-]+)/.exec(file) ?? [];
  const needed = categories(locale);
  const groups = Map.groupBy(texts, ([key]) => key.slice(0, Math.max(key.lastIndexOf("."), 0)));
  const without = new Map<string, string[]>();
  for (const [name, members] of groups) {
    const forms = members.map(([key]) => key.slice(key.lastIndexOf(".") + 1));
    const isPlural =
      forms.every((form) => pluralForms.includes(form)) && (forms.includes("other") || forms.includes("one"));
    if (!isPlural || name === "") continue;
    for (const form of needed.filter((one) => !forms.includes(one))) {
      const at = texts.get(`${name}.${forms[0]}`)?.at ?? 0;
      if (form === "other") check.add("error", "locale", check.place(file, at), `"${name}" has no plural form "other"`);
      else without.set(form, [...(without.get(form) ?? []), name]);
    }
  }
  for (const [form, names] of without)
    check.add(
      "warning",
      "locale",
      { file, line: 1, column: 1 },
      `${counted(names)} without the plural form "${form}", "other" is shown: ${some(names)}`,
    );
}

/** Returns the plural forms of numbers that occur in a shop. Some languages have a form that only a million uses. */
function categories(locale: string): readonly string[] {
  try {
    const rules = new Intl.PluralRules(locale);
    return [...new Set([...Array.from({ length: 121 }, (_, number) => rules.select(number)), "other"])];
  } catch {
    return ["other"];
  }
}

function holes(text = ""): string[] {
  return !text.includes("{{") ? [] : [...text.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)].map((match) => match[1] as string);
}

function counted(keys: readonly string[]): string {
  return keys.length === 1 ? "1 text" : `${keys.length} texts`;
}

function some(keys: readonly string[]): string {
  const shown = keys.slice(0, 5).join(", ");
  return keys.length > 5 ? `${shown} …` : shown;
}
