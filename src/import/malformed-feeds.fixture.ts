import { entry, type MalformedExport, toLatin1 } from "./malformed-file.fixture.ts";

const toItem = (id: string, fields: string): string =>
  `<item><g:id>${id}</g:id><title>Deck Shoe - ${id}</title><link>https://a.test/p/deck-shoe?v=${id}</link><g:availability>in stock</g:availability>${fields}</item>`;

export const malformedFeeds: readonly MalformedExport[] = [
  entry(
    "feed as a table: variants by group, a sale price, preorders",
    "feed.tsv",
    "id,title,description,link,image_link,availability,price,sale_price,item_group_id,color,size,brand,gtin,google_product_category,shipping,mobile_link\n"
      .replaceAll(",", "\t")
      .concat(
        "S-40\tDeck Shoe, blue 40\tLight & dry\thttps://a.test/products/deck-shoe?v=40\thttps://a.test/40.jpg\tin_stock\t59.00 EUR\t49.00 EUR\tS\tBlue\t40\tAnsty\t4006381333931\tShoes > Boat Shoes\tDE:::4 EUR\thttps://m.a.test\n",
        "S-41\tDeck Shoe, blue 41\tLight & dry\thttps://a.test/products/deck-shoe?v=41\thttps://a.test/41.jpg\tpreorder\t59.00 EUR\t\tS\tBlue\t41\tAnsty\t\t187\tDE:::4 EUR\t\n",
      ),
  ),
  entry(
    "feed from a template of Meta: stock, a comment above the column names",
    "catalog.csv",
    '"# Required | The id, such as a SKU","# Required | The title, such as ""Pump""",# Required | The price\n' +
      "id,title,price,availability,link,quantity_to_sell_on_facebook\n7,Pump,59.00 EUR,in stock,https://a.test/products/pump,4\n",
  ),
  entry(
    "feed as RSS: sale prices with dates, unknown elements, amounts without a currency",
    "feed.xml",
    `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>${toItem(
      "1",
      "<g:price>59.00 EUR</g:price><g:sale_price>1.00 EUR</g:sale_price><g:sale_price_effective_date>2026-05-01/2026-05-31</g:sale_price_effective_date><g:item_group_id>G</g:item_group_id><g:size>40</g:size><g:shipping><g:country>DE</g:country></g:shipping><c:margin>3</c:margin>",
    )}${toItem("2", "<g:price>61</g:price><g:item_group_id>G</g:item_group_id><g:size>41</g:size>")}</channel></rss>`,
  ),
  entry(
    "feed as Atom in Latin-1: another currency, missing prices",
    "feed.xml",
    '<?xml version="1.0" encoding="ISO-8859-1"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><entry><g:id>1</g:id><title>Caf\xe9</title><link href="https://a.test/cafe"/><g:price>2.50 EUR</g:price></entry><entry><g:id>2</g:id><title>Tea</title><g:price>2.00 USD</g:price></entry><entry><g:id>3</g:id><title>Mate</title></entry></feed>',
    toLatin1,
  ),
  entry(
    "feed: variants that differ only in their titles",
    "feed.csv",
    "id,title,link,price,availability,item_group_id\nA,Chart 25 sheets,https://a.test/p/1,9.00 EUR,in_stock,C\nB,Chart 50 sheets,https://a.test/p/2,15.00 EUR,out_of_stock,C\n",
  ),
  entry(
    "feed: titles that contain the names of color and size",
    "feed.csv",
    "id,title,link,price,availability,item_group_id,color,size\nA,Jersey - Color Red - Size S,https://a.test/p/1,9.00 EUR,in_stock,J,Red,S\nB,Jersey - Color Blue - Size S,https://a.test/p/2,9.00 EUR,in_stock,J,Blue,S\n",
  ),
  entry(
    "feed: variants that differ only in their ids",
    "feed.csv",
    "id,title,link,price,availability,item_group_id,size\nA,Pennant,https://a.test/p/1,9.00 EUR,in_stock,P,S\nB,Pennant,https://a.test/p/2,9.00 EUR,in_stock,P,S\nC,Pennant,https://a.test/p/3,9.00 EUR,in_stock,P,M\n",
  ),
  entry("truncated feed", "feed.xml", `<rss><channel>\n${toItem("1", "<g:price>59.00 EUR</g:price>")}\n<item><g:id>2`),
];
