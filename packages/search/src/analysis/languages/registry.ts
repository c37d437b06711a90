import { arabic } from "./ar.ts";
import { danish } from "./da.ts";
import { german } from "./de.ts";
import { greek } from "./el.ts";
import { english } from "./en.ts";
import { spanish } from "./es.ts";
import { finnish } from "./fi.ts";
import { french } from "./fr.ts";
import { hebrew } from "./he.ts";
import { icelandic } from "./is.ts";
import { italian } from "./it.ts";
import type { Language } from "./language.ts";
import { bokmal } from "./nb.ts";
import { dutch } from "./nl.ts";
import { nynorsk } from "./nn.ts";
import { norwegian } from "./no.ts";
import { polish } from "./pl.ts";
import { portuguese } from "./pt.ts";
import { russian } from "./ru.ts";
import { swedish } from "./sv.ts";
import { turkish } from "./tr.ts";
import { ukrainian } from "./uk.ts";
import { chinese } from "./zh.ts";

/** All supported languages: each is one file in this folder and one entry here. */
export const languages: readonly Language[] = [
  arabic,
  danish,
  german,
  greek,
  english,
  spanish,
  finnish,
  french,
  hebrew,
  icelandic,
  italian,
  bokmal,
  dutch,
  nynorsk,
  norwegian,
  polish,
  portuguese,
  russian,
  swedish,
  turkish,
  ukrainian,
  chinese,
];

const byCode: ReadonlyMap<string, Language> = new Map(languages.map((language) => [language.code, language]));

/** Returns the language of a locale ("de-AT"); undefined if it is not supported. */
export function languageOf(locale: string): Language | undefined {
  return byCode.get(locale) ?? byCode.get(locale.split("-", 1)[0]?.toLowerCase() ?? "");
}

/** The words that any language lists, since titles mix languages. */
export function wordsOfAll(list: (language: Language) => readonly string[] | undefined): ReadonlySet<string> {
  return new Set(languages.flatMap((language) => list(language) ?? []));
}
