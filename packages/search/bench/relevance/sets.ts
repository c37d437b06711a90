import { fileURLToPath } from "node:url";
import { type CatalogueName, catalogueFile, catalogues, flatFile, titlesFile } from "../../../../bench/catalogs.ts";
import { type JudgedQuery, readJudgments, readProjectJudgments, readShopperJudgments } from "./judged.ts";
import { drugstoreQueries } from "./rules/drugstore.ts";
import { electronicsQueries } from "./rules/electronics.ts";
import { fashionQueries } from "./rules/fashion.ts";
import { phoneShopQueries } from "./rules/phone-shop.ts";
import { quantityQueries } from "./rules/quantities.ts";
import { supermarketQueries } from "./rules/supermarket.ts";

/** Judged queries of one catalogue. */
export interface JudgedSet {
  readonly name: string;
  readonly catalogue: CatalogueName;
  /** Fields of the products that are searched. */
  readonly texts: "all" | "titles";
  /** Language of the product texts, for a catalog with translations. */
  readonly translation?: string;
  /** Minimum grade of a relevant product, for metrics that only distinguish relevant and wrong products. */
  readonly relevantFrom: number;
  /** Whether every product of the catalog was judged. If so, products without a grade are wrong. */
  readonly isComplete: boolean;
  queries(): readonly JudgedQuery[];
}

const ruleJudged: readonly (readonly [string, CatalogueName, () => readonly JudgedQuery[]])[] = [
  ["fashion", "fashion-styles-44k", fashionQueries],
  ["phones", "bestbuy-3k", phoneShopQueries],
  ["electronics", "icecat-19k", electronicsQueries],
  ["drugstore", "dm-de-18k", drugstoreQueries],
  ["supermarket", "mercadona-es-4k", supermarketQueries],
];
const handJudged: readonly (readonly [string, CatalogueName, string?])[] = [
  ["demo-en", "harbour-outfitters"],
  ["demo-fr", "harbour-outfitters", "fr"],
  ["drugstore-de", "dm-de-18k"],
  ["supermarket-es", "mercadona-es-4k"],
];

const shopperSets: readonly (readonly [string, CatalogueName])[] = [
  ["mixed", "products-100k"],
  ["phone-shop", "bestbuy-3k"],
  ["office", "icecat-19k"],
  ["clothes", "fashion-styles-44k"],
  ["drogerie", "dm-de-18k"],
  ["lebensmittel", "heissepreise-de-sl-30k"],
  ["trgovina", "heissepreise-de-sl-30k"],
  ["supermercado", "mercadona-es-4k"],
];

/**
 * Judged query sets: public sets judged by other people, sets judged by the rules in `rules`, and sets judged by hand
 * in `judged`.
 */
export const judgedSets: readonly JudgedSet[] = [
  {
    name: "icecat-public",
    catalogue: "icecat-19k",
    texts: "all",
    relevantFrom: 1,
    isComplete: false,
    queries: () => readJudgments(),
  },
  ...ruleJudged.flatMap(([name, catalogue, make]): JudgedSet[] => {
    let cachedQueries: readonly JudgedQuery[] | undefined;
    const queries = (): readonly JudgedQuery[] => {
      cachedQueries ??= make();
      return cachedQueries;
    };
    const commonFields = { catalogue, relevantFrom: 2, isComplete: true, queries };
    return [
      { name, texts: "all", ...commonFields },
      { name: `${name}-titles`, texts: "titles", ...commonFields },
    ];
  }),
  {
    name: "quantities",
    catalogue: "heissepreise-de-sl-30k",
    texts: "all",
    relevantFrom: 2,
    isComplete: true,
    queries: quantityQueries,
  },
  ...handJudged.map(
    ([name, catalogue, translation]): JudgedSet => ({
      name,
      catalogue,
      texts: "all",
      ...(translation === undefined ? {} : { translation }),
      relevantFrom: 1,
      isComplete: false,
      queries: () => readProjectJudgments(fileOf(name)),
    }),
  ),
  ...(["tuning", "report"] as const).flatMap((half) =>
    shopperSets.map(
      ([name, catalogue]): JudgedSet => ({
        name: `shoppers-${name}-${half}`,
        catalogue,
        texts: "all",
        relevantFrom: 1,
        isComplete: false,
        queries: () => readShopperJudgments(fileOf("shoppers"), name, half),
      }),
    ),
  ),
];

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../judged/${name}.jsonl`, import.meta.url));
}

/** Returns the language of a set's queries. */
export function localeOf({ catalogue, translation }: JudgedSet): string {
  return translation ?? catalogues[catalogue];
}

/** Creates the documents file of a query set.  @returns path of the file */
export async function documentsOf({ catalogue, texts, translation }: JudgedSet): Promise<string> {
  const flatDocuments = await flatFile(catalogueFile(catalogue), translation);
  return texts === "all" ? flatDocuments : titlesFile(flatDocuments);
}
