import { malformedFeeds } from "./malformed-feeds.fixture.ts";
import { entry, type MalformedExport, toLatin1, utf8 } from "./malformed-file.fixture.ts";

/** Currency of the store that imports the files. */
export const currency = "EUR";
/** Date of the imports. */
export const today = Date.UTC(2026, 6, 1);

const toUtf16le = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const toUtf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

const testRows = "rope,Rope,Length,10 m,9.00,5\nrope,,,20 m,17.00,0\n";
const optionHeader = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty\n";
const basicHeader = "Handle,Title,Variant Price\n";

const shopifyExports: readonly MalformedExport[] = [
  entry("older column names", "export.csv", optionHeader + testRows),
  entry(
    "newer column names in another order",
    "export.csv",
    "Price,Title,URL handle,Description,Option1 name,Option1 value,Option1 Linked To,SKU,Inventory quantity,Continue selling when out of stock,Weight value (grams),Weight unit for display,Product image URL,SEO title\n" +
      "9.00,Rope,rope,<p>Hemp.</p>,Length,10 m,product.metafields.shopify.size,R10,0,TRUE,1500,kg,https://a.test/r.jpg,Hemp rope\n",
  ),
  entry(
    "all columns of a shop with several markets",
    "export.csv",
    "Handle,Title,Product Category,Type,Tags,Published,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Taxable,Variant Barcode,Gift Card,SEO Title,SEO Description,Google Shopping / Gender,Fabric (product.metafields.custom.fabric),Color (product.metafields.shopify.color-pattern),Rating (product.metafields.reviews.rating),Variant Weight Unit,Variant Tax Code,Cost per item,Unit Price Total Measure,Unit Price Total Measure Unit,Unit Price Base Measure,Unit Price Base Measure Unit,Included / Europe,Price / Europe,Price / Americas,Status\n" +
      'coat,Coat,Apparel & Accessories > Clothing,Coats,"rain, new",true,C1,900,shopify,3,deny,manual,120.00,150.00,true,4006381333931,false,Rain coats,Dry.,unisex,Wool,red; blue,"{""value"":4.5}",kg,PC040100,61.20,900,g,2,kg,true,118.00,130.00,active\n',
  ),
  entry(
    'decimal commas, ";" as separator, and a first line "sep=;"',
    "export.csv",
    `sep=;\n${basicHeader.replaceAll(",", ";")}rope;Rope;9,00\nmast;Mast;1.234,50\n`,
  ),
  entry(
    "UTF-16 with tabs (Unicode text of a spreadsheet)",
    "export.txt",
    `${basicHeader}cafe,Café,2.50\n`.replaceAll(",", "\t"),
    toUtf16le,
  ),
  entry("UTF-16 without a byte order mark", "export.csv", `${basicHeader}cafe,Café,2.50\n`, toUtf16be),
  entry("Windows-1252", "export.csv", `${basicHeader}cafe,Café crème,2.50\nuber,Über “uns”,1\n`, encodeCp1252),
  entry(
    'MacRoman with ";" and CR line endings (Excel for Mac)',
    "export.csv",
    // MacRoman bytes of "Café crème", "Süßholz" and "Größe M".
    "Handle;Title;Variant Price\rcafe;Caf\x8e cr\x8fme;2,50\rsuess;S\x9f\xa7holz;1\rgroesse;Gr\x9a\xa7e M;3\r",
    toLatin1,
  ),
  entry(
    "byte order mark and CRLF line endings",
    "export.csv",
    `\uFEFF${optionHeader}${testRows}`.replaceAll("\n", "\r\n"),
  ),
  entry("CR line endings", "export.csv", (optionHeader + testRows).replaceAll("\n", "\r")),
  {
    defect: "UTF-8 with one invalid line",
    files: [
      [
        "export.csv",
        Buffer.concat([utf8(`${basicHeader}cafe,Café,2\nthe,Thé,3\nmate,Mat`), toLatin1("é,1\n"), utf8("tea,Tea,4\n")]),
      ],
    ],
  },
  entry("unknown encoding", "export.csv", `${basicHeader}mir,\xcc\xe8\xf0 \xc2\xe0\xec,1\n`, toLatin1),
  entry(
    "cells with line breaks and quotes",
    "export.csv",
    `${basicHeader}rope,"Rope ""strong"",\n10 m",9\n\nmap,Map,4\n`,
  ),
  entry("a quote that is not doubled", "export.csv", `${basicHeader}pipe,Pipe 5" wide,9\n`),
  entry("an unclosed quote", "export.csv", `${basicHeader}map,Map,4\nrope,"Rope,9\ncap,Cap,3\n`),
  entry(
    "blank rows and trailing commas",
    "export.csv",
    `\n${basicHeader.trim()},,\n,,,,\nrope,Rope,9,,\n   ,,,,\nmap,Map,4,,\n`,
  ),
  entry("a comma in an unquoted title", "export.csv", `${basicHeader}rope,Rope, strong,9\nmap,Map,4\n`),
  entry("missing or invalid handles", "export.csv", `${basicHeader},Big Rope,9\nDeck Shoe/42,Deck Shoe,40\n`),
  entry("a comment below the products", "export.csv", `${basicHeader}rope,Rope,9\nNote: prices include VAT,,\n`),
  entry(
    "rows separated from their product",
    "export.csv",
    `${optionHeader}rope,Rope,Length,10 m,9,5\nmap,Map,Title,Default Title,4,1\nrope,,,20 m,17,0\n`,
  ),
  entry("two products with one handle", "export.csv", `${basicHeader}rope,Rope,9\nrope,Another rope,4\n`),
  entry("several variants without options", "export.csv", `${basicHeader}rope,Rope,9\nrope,,17\n`),
  entry(
    "a variant twice, and a variant without its option value",
    "export.csv",
    `${optionHeader}rope,Rope,Length,10 m,9,5\nrope,,,20 m,17,0\nrope,,,10 m,9,5\nmast,Mast,Length,8 m,90,1\nmast,,,,95,1\n`,
  ),
  entry(
    "a column of another program with a former Shopify name",
    "export.csv",
    "Product Type,Handle,Title,Type,Variant Price\nRegular,rope,Rope,Ropes,9\n",
  ),
  entry("a product without a price", "export.csv", `${basicHeader}rope,Rope,9\nmap,Map,\n`),
  entry("no price column", "export.csv", "Handle,Title,Vendor,Variant SKU\nrope,Rope,Ansty,R\nmap,Map,Ansty,M\n"),
  entry("an option without a name", "export.csv", optionHeader + testRows.replace("Length", "")),
  entry(
    "no quantity column",
    "export.csv",
    "Handle,Title,Variant Price,Variant Inventory Tracker\nrope,Rope,9,shopify\n",
  ),
  entry(
    "tracked stock without a quantity, and a quantity that is not tracked",
    "export.csv",
    "Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Qty\nrope,Rope,9,shopify,\nmap,Map,4,,7\ncap,Cap,3,shopify,2.0\n",
  ),
  entry(
    "barcodes rounded or quoted by a spreadsheet",
    "export.csv",
    "Handle,Title,Variant Price,Variant Barcode\nrope,Rope,9,4.00638E+12\nmap,Map,4,'0012\n",
  ),
  entry(
    "prices in several notations",
    "export.csv",
    `${basicHeader}a,A,€19.99\nb,B,"1,234.50"\nc,C,1.999\nd,D,19.99 USD\ne,E,free\n`,
  ),
  entry(
    "all values of the inventory policy",
    "export.csv",
    "Handle,Title,Variant Price,Variant Inventory Policy\na,A,1,deny\nb,B,1,Continue\nc,C,1,TRUE\nd,D,1,reject\n",
  ),
  entry(
    "all states of a product",
    "export.csv",
    "Handle,Title,Variant Price,Status,Published\na,A,1,draft,TRUE\nb,B,1,Archived,TRUE\nc,C,1,unlisted,TRUE\nd,D,1,active,FALSE\ne,E,1,on sale,TRUE\nf,F,1,active,perhaps\n",
  ),
];

function encodeCp1252(text: string): Buffer {
  return toLatin1(text.replaceAll("“", "\x93").replaceAll("”", "\x94"));
}

const counts = "Handle,Title,Option1 Name,Option1 Value,SKU,HS Code,COO,";
const inventoryExports: readonly MalformedExport[] = [
  {
    defect: "inventory with a column for each location",
    files: [
      ["export.csv", utf8(optionHeader.replace(",Variant Inventory Qty", "") + testRows.replaceAll(/,\d\n/g, "\n"))],
      [
        "inventory.csv",
        utf8(
          `${counts}Harbour,Quay\nrope,Rope,Length,10 m,R10,5607,PT,4,1\nrope,,Length,20 m,R20,5607,PT,not stocked,2\n`,
        ),
      ],
    ],
  },
  {
    defect: "inventory with a row for each location; an unknown product and variant",
    files: [
      ["export.csv", utf8(optionHeader + testRows)],
      [
        "inventory.csv",
        utf8(
          `${counts}Location,Incoming (not editable),Unavailable (not editable),Committed (not editable),Available (not editable),On hand (current),On hand (new)\n` +
            "rope,Rope,Length,10 m,,,,Harbour,10,1,2,9,12,\nrope,Rope,Length,10 m,,,,Quay,0,0,0,3,3,4\nrope,Rope,Length,99 m,,,,Quay,0,0,0,3,3,\nsail,Sail,Title,Default Title,,,,Quay,0,0,0,1,1,\n",
        ),
      ],
    ],
  },
];

const wooHeader =
  'ID,Type,SKU,Name,Published,"Is featured?","Visibility in catalog","Short description",Description,"Date sale price starts","Date sale price ends","Tax status","Tax class","In stock?",Stock,"Backorders allowed?","Sold individually?","Weight (kg)","Sale price","Regular price",Categories,Tags,Images,Parent,Upsells,Position,"Attribute 1 name","Attribute 1 value(s)","Attribute 1 visible","Meta: _yoast_wpseo_title","Meta: origin"\n';
const wooExports: readonly MalformedExport[] = [
  entry(
    "WooCommerce: variations before their product, a variation for any option value, unsupported types",
    "woo.csv",
    `${wooHeader}12,variation,T-R,Tee - Red,1,0,visible,,,,,taxable,,1,4,0,0,,,20,,,,T,,1,Colour,Red,,,\n` +
      '10,variable,T,Tee,1,1,visible,Soft.,"Two\\nlines",,,taxable,,1,,0,0,0.2,,,"Clothing > Shirts, New",summer,"https://a.test/1.jpg, https://a.test/2.jpg",,cap,2,Colour,"Red, Blue",1,%%title%% %%sep%%,PT\n' +
      "13,variation,T-X,Tee,1,0,visible,,,,,taxable,,0,,notify,0,,,22,,,,id:10,,2,Colour,,,,\n" +
      '20,"simple, virtual",L,Lesson,1,0,visible,,,,,none,,1,,0,1,,40,50,,,,,,1,Level,Easy,1,,\n' +
      "30,grouped,G,Set,1,0,visible,,,,,taxable,,1,,0,0,,,,,,,,,0,,,,,\n",
  ),
  entry(
    "WooCommerce: sale prices with dates, hidden and draft products, stock of the product, a variation without its product",
    "woo.csv",
    `${wooHeader}1,simple,A,Anchor,1,0,visible,,,2026-06-01 0:00:00,2026-07-01,taxable,,1,3,0,0,,15,20,,,,,,0,,,,,\n` +
      "2,simple,B,Buoy,1,0,visible,,,2026-08-01,,taxable,,1,,0,0,,15,20,,,,,,0,,,,,\n" +
      "3,simple,C,Cap,1,0,hidden,,,,,taxable,reduced,0,,0,0,,,3,,,,,,0,,,,,\n4,simple,D,Dinghy,'-1,0,visible,,,,,taxable,,1,,0,0,,,,,,,,,0,,,,,\n" +
      "5,variable,E,Ensign,1,0,visible,,,,,taxable,,1,6,0,0,,,,,,,,,0,Size,S,1,,\n6,variation,,Ensign,1,0,visible,,,,,taxable,,1,parent,0,0,,,8,,,,E,,0,Size,S,,,\n" +
      "7,variation,,Fender,1,0,visible,,,,,taxable,,1,,0,0,,,8,,,,id:99,,0,Size,S,,,\n8,simple,G,Gaff,1,0,visible,,,,2026-06-30 23:59:59,taxable,,1,,0,0,,15,20,Uncategorized,,,,,0,,,,,\n",
  ),
  entry(
    "WooCommerce: a draft with variations; disabled variations; a product without its variations",
    "woo.csv",
    `${wooHeader}1,variable,A,Anorak,-1,0,visible,,,,,taxable,,1,,0,0,,,,,,,,,0,Size,"S, M",1,,\n2,variation,,Anorak,-1,0,visible,,,,,taxable,,1,,0,0,,,80,,,,A,,0,Size,S,,,\n` +
      "3,variation,,Anorak,-1,0,visible,,,,,taxable,,1,,0,0,,,85,,,,A,,0,Size,M,,,\n4,variable,B,Boots,1,0,visible,,,,,taxable,,1,,0,0,,,,,,,,,0,Size,40,1,,\n5,variation,,Boots,0,0,visible,,,,,taxable,,1,,0,0,,,60,,,,B,,0,Size,40,,,\n" +
      '6,variable,C,Cap,1,0,visible,,,,,taxable,,1,,0,0,,,,,,,,,0,Size,"S, M",1,,\n7,variation,,Cap,1,0,visible,,,,,taxable,,1,,0,0,,,8,,,,C,,0,Size,S,,,\n8,variation,,Cap,0,0,visible,,,,,taxable,,1,,0,0,,,8,,,,C,,0,Size,M,,,\n' +
      "9,variable,D,Dinghy,1,0,visible,,,,,taxable,,1,,0,0,,,,,,,,,0,Size,S,1,,\n",
  ),
  entry(
    "WooCommerce in Dutch",
    "woo.csv",
    'ID,Type,Artikelnummer,Naam,Gepubliceerd,"Op voorraad?",Voorraad,"Gewicht (kg)",Actieprijs,"Reguliere prijs",Categorieën,Afbeeldingen,Hoofd,"Naam eigenschap 1","Waarde eigenschap 1"\n' +
      '1,variable,J,Jas,1,1,,,,,Jassen,https://a.test/j.jpg,,Maat,"S, M"\n2,variation,J-S,Jas,1,1,3,"0,9",70,80,,,J,Maat,S\n3,variation,J-M,Jas,1,0,,,,80,,,J,Maat,M\n',
  ),
  entry(
    "WooCommerce in Polish",
    "woo.csv",
    'ID,Typ,SKU,Nazwa,Opublikowano,"Stan magazynowy","Waga (kg)","Cena promocyjna",Cena,Kategorie,Tagi,"Nazwa atrybutu 1","Wartości atrybutu 1"\n1,simple,L,Lina,1,4,"0,5","15,50",20,Liny,nowe,Kolor,Biały\n',
  ),
  entry(
    "WooCommerce in Italian",
    "woo.csv",
    `ID,Tipo,COD,Nome,Pubblicato,"In stock?",Magazzino,"Peso (kg)","Prezzo in offerta","Prezzo di listino",Categorie,Tag,Immagine,Genitore,"Nome dell'attributo 1","Valore dell'attributo 1","Meta: _yoast_wpseo_title"\n` +
      '1,variable,G,Giacca,1,1,,,,,Giacche,nuovo,https://a.test/g.jpg,,Taglia,"S, M",Giacca a vela\n2,variation,G-S,Giacca,1,1,3,"0,9",70,80,,,,G,Taglia,S,\n3,variation,G-M,Giacca,1,0,,,,80,,,,G,Taglia,M,\n',
  ),
  entry(
    "WooCommerce in Brazilian Portuguese",
    "woo.csv",
    'ID,Tipo,REF,Nome,Publicado,"Em estoque?",Estoque,"Peso (kg)","Preço promocional",Preço,Categorias,Tags,Imagens,Ascendente,"Nome do atributo 1","Valores do atributo 1","Metadado: _yoast_wpseo_title"\n' +
      '1,variable,C,Casaco,1,1,,,,,Casacos,novo,https://a.test/c.jpg,,Tamanho,"P, M",Casaco de vela\n2,variation,C-P,Casaco,1,1,3,"0,9",70,80,,,,C,Tamanho,P,\n3,variation,C-M,Casaco,1,0,,,,80,,,,C,Tamanho,M,\n',
  ),
  entry(
    "WooCommerce in European Portuguese",
    "woo.csv",
    'ID,Tipo,REF,Nome,Publicado,"Em stock?",Stock,"Peso (kg)","Preço promocional","Preço normal",Categorias,Etiquetas,Imagens,Pai,"Atributo 1 nome","Atributo 1 valor(es)"\n' +
      '1,variable,C,Casaco,1,1,,,,,Casacos,novo,https://a.test/c.jpg,,Tamanho,"P, M"\n2,variation,C-P,Casaco,1,1,3,"0,9",70,80,,,,C,Tamanho,P\n3,variation,C-M,Casaco,1,0,,,,80,,,,C,Tamanho,M\n',
  ),
  entry(
    "WooCommerce in Swedish",
    "woo.csv",
    'ID,Typ,Artikelnummer,Namn,Publicerad,"I lager?",Lager,"Vikt (kg)",Reapris,"Ordinarie pris",Kategorier,Etiketter,Bilder,Överordnad,"Attribut 1 namn","Attribut 1 värde(n)"\n' +
      '1,variable,J,Jacka,1,1,,,,,Jackor,ny,https://a.test/j.jpg,,Storlek,"S, M"\n2,variation,J-S,Jacka,1,1,3,"0,9",70,80,,,,J,Storlek,S\n3,variation,J-M,Jacka,1,0,,,,80,,,,J,Storlek,M\n',
  ),
  entry(
    "WooCommerce in Danish",
    "woo.csv",
    'ID,Type,Varenummer,Navn,Udgivet,"På lager?",Lager,"Vægt (kg)",Tilbudspris,Normalpris,Kategorier,Tags,Billeder,Forældre,"Egenskab 1 navn","Egenskab 1 værdi(er)"\n' +
      '1,variable,J,Jakke,1,1,,,,,Jakker,ny,https://a.test/j.jpg,,Størrelse,"S, M"\n2,variation,J-S,Jakke,1,1,3,"0,9",70,80,,,,J,Størrelse,S\n3,variation,J-M,Jakke,1,0,,,,80,,,,J,Størrelse,M\n',
  ),
  entry(
    "WooCommerce in German, with decimal commas",
    "woo.csv",
    "ID,Typ,Artikelnummer,Name,Veröffentlicht,Regulärer Preis,Angebotspreis,Kategorien,Gewicht (kg),Bestand,Lieferzeit,Attribut 1 Name,Attribut 1 Wert(e)\n" +
      '7,simple,N-7,Öljacke,1,"89,90","79,90",Jacken,"1,2",5,3 Tage,Farbe,Gelb\n',
  ),
];

const unsupportedExports: readonly MalformedExport[] = [
  entry("an unrelated table", "orders.csv", "Name,Email,Financial Status,Total\n#1001,a@a.test,paid,12.00\n"),
  entry("an empty file", "export.csv", "\n\n"),
];

export const malformedExports: readonly MalformedExport[] = [
  ...shopifyExports,
  ...inventoryExports,
  ...wooExports,
  ...malformedFeeds,
  ...unsupportedExports,
];
