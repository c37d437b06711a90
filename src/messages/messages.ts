import ar from "./ar.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };

/** Key of a message, such as "cart.soldOut". */
export type MessageKey = keyof typeof en;

/**
 * Returns a message in which `{name}` is replaced by `values.name`. The plural form depends on `values.count`.
 * @example getMessages("fr")("cart.soldOut", { title: "Tote" }) // "Tote est épuisé."
 */
export type Messages = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Returns the messages in a language that the server shows to shoppers. Messages of themes are separate.
 * @param locale for example "pt-BR"; English if there is no translation
 */
export function getMessages(locale: string): Messages {
  return messagesByLanguage.get(locale.split("-", 1)[0] ?? "") ?? english;
}

/** Messages by key. A message that contains a count has one text for each plural form of `Intl.PluralRules`. */
type Texts = Readonly<Record<MessageKey, string | PluralForms>>;
type PluralForms = { readonly [category in Intl.LDMLPluralRule]?: string } & { readonly other: string };

const english = createMessages("en", en);
const messagesByLanguage: ReadonlyMap<string, Messages> = new Map(
  Object.entries({ ar, de, es, fr, it, ja, nl, pt } satisfies Record<string, Texts>).map(([language, texts]) => [
    language,
    createMessages(language, texts),
  ]),
);

function createMessages(language: string, texts: Texts): Messages {
  const pluralRules = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const message = texts[key];
    const text =
      typeof message === "string" ? message : (message[pluralRules.select(Number(values.count))] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
  };
}
