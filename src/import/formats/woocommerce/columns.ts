import { plainName } from "../tables/columns.ts";

/** The dialect's name of a column of a WooCommerce export, in English, German, Spanish, French, Dutch, Polish or Russian; undefined: it is not read. */
export function wooColumn(name: string): string | undefined {
  const plain = plainName(name).replaceAll("’", "'");
  return names.get(plain) ?? attributeColumn(plain) ?? weightColumn(plain) ?? metaColumn(name.trim());
}

/** A part of an attribute's columns: "Attribute 2 name" is of the second. */
export function attributeKey(number: number, part: "name" | "value(s)"): string {
  return `Attribute ${number} ${part}`;
}

/** English name, and those of other languages apart by "|". */
const columns: Readonly<Record<string, string>> = {
  ID: "",
  Type: "typ|tipo|тип",
  SKU: "artikelnummer|ugs|артикул",
  GTIN: "gtin, upc, ean, or isbn|gtin, upc, ean oder isbn|gtin, upc, ean o isbn|gtin, upc, ean ou isbn|gtin, upc, ean of isbn",
  Name: "nombre|nom|имя|naam|nazwa",
  Published: "veröffentlicht|publicado|publié|опубликован|gepubliceerd|opublikowano",
  "Is featured?": "ist hervorgehoben?|¿está destacado?|mis en avant ?|рекомендуемый?|uitgelicht?|wyróżniony produkt?",
  "Visibility in catalog":
    "visibility in catalogue|sichtbarkeit im katalog|visibilidad en el catálogo|visibilité dans le catalogue|видимость в каталоге|zichtbaarheid in catalogus|widoczność w katalogu",
  "Short description":
    "kurzbeschreibung|descripción corta|description courte|короткое описание|краткое описание|korte beschrijving|korte omschrijving|krótki opis",
  Description: "beschreibung|descripción|описание|beschrijving|opis",
  "Date sale price starts":
    "datum, an dem angebotspreis beginnt|día en que empieza el precio rebajado|date de début de promo|startdatum actieprijs|data rozpoczęcia promocji",
  "Date sale price ends":
    "datum, an dem angebotspreis endet|día en que termina el precio rebajado|date de fin de promo|einddatum actieprijs|data zakończenia promocji",
  "Tax status": "steuerstatus|estado del impuesto|état de la tva|btw status|status podatku",
  "In stock?": "vorrätig?|¿en inventario?|¿existencias?|en stock ?|в наличии?|op voorraad?|w magazynie?",
  Stock: "bestand|lager|inventario|voorraad|stan magazynowy",
  "Backorders allowed?":
    "lieferrückstande erlaubt?|lieferrückstände erlaubt?|rückstände erlaubt?|¿permitir reservas de productos agotados?|autoriser les commandes de produits en rupture ?|nabestellingen toestaan?|pozwalać na zamówienia oczekujące (na dostawę do magazynu)?",
  "Sold individually?":
    "nur einzeln verkaufen?|¿vendido individualmente?|vendre individuellement ?|wordt individueel verkocht?|sprzedawany pojedynczo?",
  "Sale price": "angebotspreis|precio rebajado|tarif promo|акционная цена|actieprijs|cena promocyjna",
  "Regular price": "regulärer preis|precio normal|tarif régulier|базовая цена|reguliere prijs|cena",
  Categories: "kategorien|categorías|categorias|catégories|категории|categorieën|kategorie",
  Tags: "schlagwörter|etiquetas|étiquettes|метки|tagi",
  Images: "bilder|imágenes|изображения|afbeeldingen|obrazki",
  Parent: "übergeordnetes produkt|superior|hoofd|element nadrzędny",
  Position: "posición|positie|pozycja",
  Brands: "marken|marcas|marques|brand|merken",
  "Cost of goods": "warenkosten",
  "SEO title": "meta: _yoast_wpseo_title|meta: rank_math_title",
  "SEO description": "meta: _yoast_wpseo_metadesc|meta: rank_math_description",
};

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(columns).flatMap(([key, others]) =>
    [plainName(key), ...others.split("|")].filter((name) => name !== "").map((name) => [plainName(name), key] as const),
  ),
);

function attributeColumn(plain: string): string | undefined {
  const [, number, part = ""] =
    /^attribute? (\d+) (name|value\(s\)|wert\(e\))$/.exec(plain) ??
    reordered(/^(nombre|valor\(es\)) del atributo (\d+)$/.exec(plain)) ??
    reordered(/^(nom|valeur\(s\)) de l'attribut (\d+)$/.exec(plain)) ??
    reordered(/^(naam|waarde) eigenschap (\d+)$/.exec(plain)) ??
    reordered(/^(nazwa|wartości) atrybutu (\d+)$/.exec(plain)) ??
    [];
  return number === undefined ? undefined : attributeKey(Number(number), /^no?m|^na/.test(part) ? "name" : "value(s)");
}

function reordered(match: RegExpExecArray | null): readonly [string, string, string] | undefined {
  return match === null ? undefined : [match[0], match[2] ?? "", match[1] ?? ""];
}

/** "Weight (kg)" -> "Weight kg" */
function weightColumn(plain: string): string | undefined {
  const [, unit = ""] = /^(?:weight|gewicht|peso|poids|waga) \((kg|g|lbs?|oz)\)$/.exec(plain) ?? [];
  return unit === "" ? undefined : `Weight ${unit.replace("lbs", "lb")}`;
}

/** Metadata under a name of its own; those with "_" before it are of programs. */
function metaColumn(name: string): string | undefined {
  const [, key] = /^meta: ([a-z][\w-]*)$/i.exec(name) ?? [];
  return key === undefined ? undefined : `metafield meta ${key}`;
}
