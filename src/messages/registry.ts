import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import type { Messages } from "./messages.ts";
import { nl } from "./nl.ts";
import { pt } from "./pt.ts";

/** In the reader's language; in English where it is none of ours. @param locale "pt-BR" */
export function messagesIn(locale: string): Messages {
  return languages.get(locale.split("-", 1)[0] ?? "") ?? en;
}

const languages: ReadonlyMap<string, Messages> = new Map(Object.entries({ ar, de, en, es, fr, it, ja, nl, pt }));
