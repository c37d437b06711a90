import { indexColumnNames, normalizeColumnName } from "../tables/columns.ts";

/**
 * Returns the key of a column in a WooCommerce export, in English, Danish, Dutch, French, German, Italian, Polish,
 * Portuguese, Russian, Spanish or Swedish; undefined if it is not read.
 */
export function parseWooColumn(name: string): string | undefined {
  const englishName = name.trim().replace(metaPrefixPattern, "Meta: ");
  const normalizedName = normalizeColumnName(englishName).replaceAll("’", "'");
  return (
    keysByName.get(normalizedName) ??
    parseAttributeColumn(normalizedName) ??
    parseWeightColumn(normalizedName) ??
    parseMetaColumn(englishName)
  );
}

const metaPrefixPattern = /^(?:metadados?|méta|pola|мета)\s*:\s*/i;

/** Returns the key of an attribute's column, such as "Attribute 2 name". */
export function getAttributeKey(number: number, part: "name" | "value(s)"): string {
  return `Attribute ${number} ${part}`;
}

/** Column names by key: the English name, followed by names in other languages, separated by "|". */
const namesByKey: Readonly<Record<string, string>> = {
  ID: "",
  Type: "typ|tipo|тип",
  SKU: "artikelnummer|ugs|артикул|cod|ref|artikelnr|varenummer",
  GTIN: "gtin, upc, ean, or isbn|gtin, upc, ean oder isbn|gtin, upc, ean o isbn|gtin, upc, ean ou isbn|gtin, upc, ean of isbn|gtin, upc, ean, o isbn|gtin, upc, ean, ou isbn|gtin, upc, ean или isbn",
  Name: "nombre|nom|имя|naam|nazwa|nome|namn|navn",
  Published:
    "veröffentlicht|publicado|publié|опубликован|gepubliceerd|opublikowano|opublikowany|pubblicato|publicerad|udgivet",
  "Is featured?":
    "ist hervorgehoben?|¿está destacado?|mis en avant ?|рекомендуемый?|uitgelicht?|wyróżniony produkt?|in primo piano?|em destaque?|är utvald?|er fremhævet (udvalgt)?",
  "Visibility in catalog":
    "visibility in catalogue|sichtbarkeit im katalog|visibilidad en el catálogo|visibilité dans le catalogue|видимость в каталоге|zichtbaarheid in catalogus|widoczność w katalogu|visibilità nel catalogo|visibilidade no catálogo|synlighet i katalog|synlighed i katalog (shoppens frontend)",
  "Short description":
    "kurzbeschreibung|descripción corta|description courte|короткое описание|краткое описание|korte beschrijving|korte omschrijving|krótki opis|breve descrizione|descrição curta|descrição breve|kort beskrivning|kort beskrivelse",
  Description: "beschreibung|descripción|описание|beschrijving|opis|descrizione|descrição|beskrivning|beskrivelse",
  "Date sale price starts":
    "datum, an dem angebotspreis beginnt|día en que empieza el precio rebajado|date de début de promo|startdatum actieprijs|data rozpoczęcia promocji|data di partenza del prezzo in saldo|data de preço promocional começa em|data de início do preço promocional|datum när reapriset börjar|den dato hvor tilbudsprisen starter|дата начала действия скидки|дата начала действия продажной цены",
  "Date sale price ends":
    "datum, an dem angebotspreis endet|día en que termina el precio rebajado|date de fin de promo|einddatum actieprijs|data zakończenia promocji|data in cui termina l'offerta|termine data del prezzo di vendita|data de preço promocional termina em|data de término do preço promocional|datum när reapriset upphör|den dato hvor tilbudsprisen slutter|дата окончания действия скидки|дата окончания действия продажной цены",
  "Tax status":
    "steuerstatus|estado del impuesto|état de la tva|btw status|status podatku|stato delle imposte|status da taxa|status do imposto|situação fiscal|momsstatus|статус налога",
  "In stock?":
    "vorrätig?|¿en inventario?|¿existencias?|en stock ?|в наличии?|op voorraad?|w magazynie?|em estoque?|em stock?|i lager?|på lager?|наличие",
  Stock:
    "bestand|lager|inventario|voorraad|stan magazynowy|lagerbestand|magazyn|magazzino|estoque|qtd stock|lagersaldo|lagerantal|запасы",
  "Backorders allowed?":
    "lieferrückstande erlaubt?|lieferrückstände erlaubt?|rückstände erlaubt?|¿permitir reservas de productos agotados?|autoriser les commandes de produits en rupture ?|nabestellingen toestaan?|pozwalać na zamówienia oczekujące (na dostawę do magazynu)?|abilita gli ordini arretrati?|são permitidas encomendas?|permitir encomendas pendentes?|restorder tillåtet?|tillåt restnoteringar?|restordrer tilladt?|возможен ли предзаказ?|задержанный заказ возможен?",
  "Sold individually?":
    "nur einzeln verkaufen?|¿vendido individualmente?|vendre individuellement ?|wordt individueel verkocht?|sprzedawany pojedynczo?|venduto singolarmente?|vender individualmente?|vendido individualmente?|säljes styckvis?|sælges enkeltvist?|продано индивидуально?",
  "Sale price":
    "angebotspreis|precio rebajado|tarif promo|акционная цена|actieprijs|cena promocyjna|prezzo in offerta|preço promocional|reapris|tilbudspris|цена распродажи",
  "Regular price":
    "regulärer preis|precio normal|tarif régulier|базовая цена|reguliere prijs|cena|prezzo di listino|preço|preço normal|ordinarie pris|normalpris",
  Categories: "kategorien|categorías|categorias|catégories|категории|categorieën|kategorie|categorie|kategorier",
  Tags: "schlagwörter|etiquetas|étiquettes|метки|tagi|tag|etichette|etiketter|taggar",
  Images: "bilder|imágenes|изображения|afbeeldingen|obrazki|immagine|imagens|billeder",
  Parent:
    "übergeordnetes produkt|superior|hoofd|element nadrzędny|rodzic|genitore|ascendente|produto ascendente|pai|förälder|överordnad|forældre|родительский",
  Position: "posición|positie|pozycja|posizione|posição|позиция",
  Brands: "marken|marcas|marques|brand|merken|бренды",
  "Cost of goods": "warenkosten|costo dei beni|preço de custo",
  "SEO title": "meta: _yoast_wpseo_title|meta: rank_math_title",
  "SEO description": "meta: _yoast_wpseo_metadesc|meta: rank_math_description",
};

const keysByName = indexColumnNames(
  Object.entries(namesByKey).map(([key, names]) => [key, names === "" ? [] : names.split("|")]),
);

function parseAttributeColumn(normalizedName: string): string | undefined {
  const { number, part = "" } = attributeColumnPattern.exec(normalizedName)?.groups ?? {};
  if (nameColumnWords.has(part)) return getAttributeKey(Number(number), "name");
  return valueColumnNames.has(part) ? getAttributeKey(Number(number), "value(s)") : undefined;
}

const attributeColumnPattern =
  /^(?:(?:attribut[eo]?|atributo|egenskab) (?<number>\d+) (?<part>\S+)|(?<part>\S+) (?:(?:del|do) atributo|de l'attribut|dell'attributo|eigenschap|atrybutu|атт?рибут(?:а|ов|а\(-ов\))) (?<number>\d+))$/;
const nameColumnWords: ReadonlySet<string> = new Set(
  "name nombre nom nome namn navn naam nazwa имя название".split(" "),
);
const valueColumnNames: ReadonlySet<string> = new Set(
  "value(s) wert(e) valor(es) valores valeur(s) valuta(e) valore värde(n) værdi(er) waarde wartości значения значение(-я)".split(
    " ",
  ),
);

/** Returns the key of a weight column: "Weight (kg)" becomes "Weight kg". */
function parseWeightColumn(normalizedName: string): string | undefined {
  const [, unit = ""] =
    /^(?:weight|gewicht|peso|poids|waga|vikt|vægt|вес) \((kg|g|lbs?|oz|кг|г)\)$/.exec(normalizedName) ?? [];
  return unit === "" ? undefined : `Weight ${unit.replace("lbs", "lb").replace("кг", "kg").replace("г", "g")}`;
}

/** Returns the key of a metadata column with a readable name. A leading "_" marks internal metadata. */
function parseMetaColumn(name: string): string | undefined {
  const [, key] = /^meta: ([a-z][\w-]*)$/i.exec(name) ?? [];
  return key === undefined ? undefined : `metafield meta ${key}`;
}
