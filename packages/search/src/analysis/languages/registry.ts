import ar from "./ar.json" with { type: "json" };
import bg from "./bg.json" with { type: "json" };
import cs from "./cs.json" with { type: "json" };
import da from "./da.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import el from "./el.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fi from "./fi.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import he from "./he.json" with { type: "json" };
import hi from "./hi.json" with { type: "json" };
import hr from "./hr.json" with { type: "json" };
import hu from "./hu.json" with { type: "json" };
import is from "./is.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import { createLanguage, type LanguageData, type SearchLanguage } from "./language.ts";
import lt from "./lt.json" with { type: "json" };
import nb from "./nb.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import nn from "./nn.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import ro from "./ro.json" with { type: "json" };
import ru from "./ru.json" with { type: "json" };
import sk from "./sk.json" with { type: "json" };
import sl from "./sl.json" with { type: "json" };
import sv from "./sv.json" with { type: "json" };
import tr from "./tr.json" with { type: "json" };
import uk from "./uk.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };

/** All languages. To add a language, add its JSON file and an entry here. */
export const languages: readonly SearchLanguage[] = (
  [
    ar,
    bg,
    cs,
    da,
    de,
    el,
    en,
    es,
    fi,
    fr,
    he,
    hi,
    hr,
    hu,
    is,
    it,
    lt,
    nb,
    nl,
    nn,
    pl,
    pt,
    ro,
    ru,
    sk,
    sl,
    sv,
    tr,
    uk,
    zh,
  ] satisfies readonly LanguageData[]
).map(createLanguage);

const languagesByCode: ReadonlyMap<string, SearchLanguage> = new Map(
  languages.flatMap((language) =>
    // Many shops use "no", the code of both written forms of Norwegian, for Bokmål.
    (language.code === "nb" ? ["nb", "no"] : [language.code]).map((code) => [code, language] as const),
  ),
);

/** Returns the language of a locale ("de-AT"), or undefined if the language is not supported. */
export function languageOf(locale: string): SearchLanguage | undefined {
  return languagesByCode.get(locale) ?? languagesByCode.get(locale.split("-", 1)[0]?.toLowerCase() ?? "");
}

/** Returns the words of one list, such as the articles, of all languages. Titles often mix languages. */
export function collectWords(list: (language: SearchLanguage) => readonly string[] | undefined): ReadonlySet<string> {
  return new Set(languages.flatMap((language) => list(language) ?? []));
}
