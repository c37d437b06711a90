import { plainName } from "../tables/columns.ts";

/** The dialect's name of a column of a WooCommerce export, in English, German, Spanish, French or Russian; undefined: it is not read. */
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
  GTIN: "gtin, upc, ean, or isbn|gtin, upc, ean oder isbn|gtin, upc, ean o isbn|gtin, upc, ean ou isbn",
  Name: "nombre|nom|имя",
  Published: "veröffentlicht|publicado|publié|опубликован",
  "Is featured?": "ist hervorgehoben?|¿está destacado?|mis en avant ?|рекомендуемый?",
  "Visibility in catalog":
    "visibility in catalogue|sichtbarkeit im katalog|visibilidad en el catálogo|visibilité dans le catalogue|видимость в каталоге",
  "Short description": "kurzbeschreibung|descripción corta|description courte|короткое описание|краткое описание",
  Description: "beschreibung|descripción|описание",
  "Date sale price starts":
    "datum, an dem angebotspreis beginnt|día en que empieza el precio rebajado|date de début de promo",
  "Date sale price ends":
    "datum, an dem angebotspreis endet|día en que termina el precio rebajado|date de fin de promo",
  "Tax status": "steuerstatus|estado del impuesto|état de la tva",
  "In stock?": "vorrätig?|¿en inventario?|¿existencias?|en stock ?|в наличии?",
  Stock: "bestand|lager|inventario",
  "Backorders allowed?":
    "lieferrückstande erlaubt?|lieferrückstände erlaubt?|rückstände erlaubt?|¿permitir reservas de productos agotados?|autoriser les commandes de produits en rupture ?",
  "Sold individually?": "nur einzeln verkaufen?|¿vendido individualmente?|vendre individuellement ?",
  "Sale price": "angebotspreis|precio rebajado|tarif promo|акционная цена",
  "Regular price": "regulärer preis|precio normal|tarif régulier|базовая цена",
  Categories: "kategorien|categorías|categorias|catégories|категории",
  Tags: "schlagwörter|etiquetas|étiquettes|метки",
  Images: "bilder|imágenes|изображения",
  Parent: "übergeordnetes produkt|superior",
  Position: "posición",
  Brands: "marken|marcas|marques|brand",
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
    [];
  return number === undefined
    ? undefined
    : attributeKey(Number(number), /^no?m|^name/.test(part) ? "name" : "value(s)");
}

function reordered(match: RegExpExecArray | null): readonly [string, string, string] | undefined {
  return match === null ? undefined : [match[0], match[2] ?? "", match[1] ?? ""];
}

/** "Weight (kg)" -> "Weight kg" */
function weightColumn(plain: string): string | undefined {
  const [, unit = ""] = /^(?:weight|gewicht|peso|poids) \((kg|g|lbs?|oz)\)$/.exec(plain) ?? [];
  return unit === "" ? undefined : `Weight ${unit.replace("lbs", "lb")}`;
}

/** Metadata under a name of its own; those with "_" before it are of programs. */
function metaColumn(name: string): string | undefined {
  const [, key] = /^meta: ([a-z][\w-]*)$/i.exec(name) ?? [];
  return key === undefined ? undefined : `metafield meta ${key}`;
}
