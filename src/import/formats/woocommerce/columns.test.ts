import assert from "node:assert/strict";
import { test } from "node:test";
import { parseWooColumn } from "./columns.ts";

/** English column names, in the order of the export. */
const englishNames =
  "Type|SKU|Name|Published|Is featured?|Visibility in catalog|Short description|Description|Date sale price starts|Date sale price ends|Tax status|In stock?|Stock|Backorders allowed?|Sold individually?|Weight (kg)|Sale price|Regular price|Categories|Tags|Images|Parent|Position|Attribute 2 name|Attribute 2 value(s)|Meta: _yoast_wpseo_title";

/** Column names in WooCommerce's translations. */
const translatedNames = {
  da: "Type|Varenummer|Navn|Udgivet|Er fremhævet (udvalgt)?|Synlighed i katalog (shoppens frontend)|Kort beskrivelse|Beskrivelse|Den dato hvor tilbudsprisen starter|Den dato hvor tilbudsprisen slutter|Momsstatus|På lager?|Lager|Restordrer tilladt?|Sælges enkeltvist?|Vægt (kg)|Tilbudspris|Normalpris|Kategorier|Tags|Billeder|Forældre|Position|Egenskab 2 navn|Egenskab 2 værdi(er)|Meta: _yoast_wpseo_title",
  de: "Typ|Artikelnummer|Name|Veröffentlicht|Ist hervorgehoben?|Sichtbarkeit im Katalog|Kurzbeschreibung|Beschreibung|Datum, an dem Angebotspreis beginnt|Datum, an dem Angebotspreis endet|Steuerstatus|Vorrätig?|Lager|Lieferrückstande erlaubt?|Nur einzeln verkaufen?|Gewicht (kg)|Angebotspreis|Regulärer Preis|Kategorien|Schlagwörter|Bilder|Übergeordnetes Produkt|Position|Attribut 2 Name|Attribut 2 Wert(e)|Meta: _yoast_wpseo_title",
  es: "Tipo|SKU|Nombre|Publicado|¿Está destacado?|Visibilidad en el catálogo|Descripción corta|Descripción|Día en que empieza el precio rebajado|Día en que termina el precio rebajado|Estado del impuesto|¿Existencias?|Inventario|¿Permitir reservas de productos agotados?|¿Vendido individualmente?|Peso (kg)|Precio rebajado|Precio normal|Categorías|Etiquetas|Imágenes|Superior|Posición|Nombre del atributo 2|Valor(es) del atributo 2|Meta: _yoast_wpseo_title",
  fr: "Type|UGS|Nom|Publié|Mis en avant\u00a0?|Visibilité dans le catalogue|Description courte|Description|Date de début de promo|Date de fin de promo|État de la TVA|En stock\u00a0?|Stock|Autoriser les commandes de produits en rupture\u00a0?|Vendre individuellement\u00a0?|Poids (kg)|Tarif promo|Tarif régulier|Catégories|Étiquettes|Images|Parent|Position|Nom de l’attribut 2|Valeur(s) de l’attribut 2 |Méta : _yoast_wpseo_title",
  it: "Tipo|COD|Nome|Pubblicato|In primo piano?|Visibilità nel catalogo|Breve descrizione|Descrizione|Data di partenza del prezzo in saldo|Data in cui termina l'offerta|Stato delle imposte|In stock?|Magazzino|Abilita gli ordini arretrati?|Venduto singolarmente? |Peso (kg)|Prezzo in offerta|Prezzo di listino|Categorie|Tag|Immagine|Genitore|Posizione|Attributo 2 nome|Attributo 2 valuta(e)|Meta: _yoast_wpseo_title",
  nl: "Type|Artikelnummer|Naam|Gepubliceerd|Uitgelicht?|Zichtbaarheid in catalogus|Korte omschrijving|Beschrijving|Startdatum actieprijs|Einddatum actieprijs|Btw status|Op voorraad?|Voorraad|Nabestellingen toestaan?|Wordt individueel verkocht?|Gewicht (kg)|Actieprijs|Reguliere prijs|Categorieën|Tags|Afbeeldingen|Hoofd|Positie|Naam eigenschap 2|Waarde eigenschap 2|Meta: _yoast_wpseo_title",
  pl: "Typ|SKU|Nazwa|Opublikowany|Wyróżniony produkt?|Widoczność w katalogu|Krótki opis|Opis|Data rozpoczęcia promocji|Data zakończenia promocji|Status podatku|W magazynie?|Magazyn|Pozwalać na zamówienia oczekujące (na dostawę do magazynu)?|Sprzedawany pojedynczo?|Waga (kg)|Cena promocyjna|Cena|Kategorie|Tagi|Obrazki|Rodzic|Pozycja|Nazwa atrybutu 2|Wartości atrybutu 2|Pola: _yoast_wpseo_title",
  "pt-BR":
    "Tipo|REF|Nome|Publicado|Em destaque?|Visibilidade no catálogo|Descrição curta|Descrição|Data de preço promocional começa em|Data de preço promocional termina em|Status do imposto|Em estoque?|Estoque|São permitidas encomendas?|Vendido individualmente?|Peso (kg)|Preço promocional|Preço|Categorias|Tags|Imagens|Produto ascendente|Posição|Nome do atributo 2|Valores do atributo 2|Metadado: _yoast_wpseo_title",
  "pt-PT":
    "Tipo|REF|Nome|Publicado|Em destaque?|Visibilidade no catálogo|Descrição breve|Descrição|Data de início do preço promocional|Data de término do preço promocional|Situação fiscal|Em stock?|Qtd Stock|Permitir encomendas pendentes?|Vender Individualmente?|Peso (kg)|Preço promocional|Preço normal|Categorias|Etiquetas|Imagens|Pai|Posição|Atributo 2 nome|Atributo 2 valor(es)|Metadados: _yoast_wpseo_title",
  ru: "Тип|Артикул|Имя|Опубликован|Рекомендуемый?|Видимость в каталоге|Краткое описание|Описание|Дата начала действия скидки|Дата окончания действия скидки|Статус налога|Наличие|Запасы|Возможен ли предзаказ?|Продано индивидуально?|Вес (кг)|Акционная цена|Базовая цена|Категории|Метки|Изображения|Родительский|Позиция|Название атрибута 2|Значения атрибутов 2|Мета: _yoast_wpseo_title",
  "ru, older versions":
    "Тип|Артикул|Имя|Опубликован|рекомендуемый?|Видимость в каталоге|Короткое описание|Описание|Дата начала действия продажной цены|Дата окончания действия продажной цены|Статус налога|В наличии?|Запасы|Задержанный заказ возможен?|Продано индивидуально?|Вес (kg)|Цена распродажи|Базовая цена|Категории|Метки|Изображения|Родительский|Позиция|Имя атрибута 2|Значение(-я) аттрибута(-ов) 2|Мета: _yoast_wpseo_title",
  sv: "Typ|Artikelnr|Namn|Publicerad|Är utvald?|Synlighet i katalog|Kort beskrivning|Beskrivning|Datum när reapriset börjar|Datum när reapriset upphör|Momsstatus|I lager?|Lagersaldo|Tillåt restnoteringar?|Säljes styckvis?|Vikt (kg)|Reapris|Ordinarie pris|Kategorier|Taggar|Bilder|Förälder|Position|Attribut 2 namn|Attribut 2 värde(n)|Meta: _yoast_wpseo_title",
};

for (const [language, header] of Object.entries(translatedNames)) {
  test(`columns of WooCommerce's export in ${language} map to the English ones`, () =>
    assert.deepEqual(header.split("|").map(parseWooColumn), englishNames.split("|").map(parseWooColumn)));
}

test("a column of another plugin is unknown", () => {
  for (const name of [
    "Attribute 1 visible",
    "Attributo 1 globale",
    "Lieferzeit",
    "Meta: _other",
    "Preço de venda por kg",
  ])
    assert.equal(parseWooColumn(name), undefined, name);
  assert.ok(englishNames.split("|").every((name) => parseWooColumn(name) !== undefined));
});
