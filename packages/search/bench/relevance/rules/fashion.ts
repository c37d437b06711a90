import type { Random } from "../../../../../bench/random.ts";
import { readDataLines } from "../../../../../bench/store.ts";
import type { JudgedQuery } from "../judged.ts";
import { drawQueries, type Item, isOneIn, joinWords, type RuledQuery, singular } from "./draw.ts";

/**
 * Clothing, described by type, gender, color and use. Relevance is judged by these columns, because titles contain only
 * some of the values: no title contains the use "casual".
 */
interface Garment extends Item {
  readonly gender: string;
  /** Group of types, such as "Topwear" or "Shoes". */
  readonly family: string;
  readonly type: string;
  readonly colour: string;
  readonly use: string;
}

export function fashionQueries(): JudgedQuery[] {
  return drawQueries(readGarments(), { count: 300, seed: 21, maxPerKind: 12 }, ({ type }) => type, ask);
}

function readGarments(): Garment[] {
  const lines = readDataLines("catalogues/fashion-styles-44k.csv");
  return lines.slice(1).flatMap((line) => {
    const [id = "", gender = "", , family = "", type = "", colour = "", , , use = "", ...title] = line.split(",");
    return title.join(",").trim() === "" ? [] : [{ id, gender, family, type, colour, use, title: title.join(",") }];
  });
}

/** Shoppers' words for the shop's type names. Other type names are used unchanged. */
const spokenTypes: Readonly<Record<string, readonly string[]>> = {
  Tshirts: ["t-shirt", "tshirts", "t shirts", "tshirt"],
  "Perfume and Body Mist": ["perfume", "body mist", "perfumes"],
  "Innerwear Vests": ["vest", "innerwear vests", "vests"],
  "Necklace and Chains": ["necklace", "necklaces"],
  "Kajal and Eyeliner": ["eyeliner", "kajal"],
  "Highlighter and Blush": ["blush", "highlighter"],
  "Foundation and Primer": ["foundation"],
  "Face Wash and Cleanser": ["face wash"],
  "Flip Flops": ["flip flops", "flipflops", "flip flop"],
  Dresses: ["dress", "dresses"],
  Watches: ["watch", "watches", "wrist watch"],
  Sunglasses: ["sunglasses", "sun glasses"],
  Scarves: ["scarf", "scarves"],
  Briefs: ["briefs"],
  Shorts: ["shorts"],
  Jeans: ["jeans"],
  Trousers: ["trousers"],
  Leggings: ["leggings"],
  Capris: ["capris"],
  "Accessory Gift Set": ["gift set"],
};
const unspokenTypes: ReadonlySet<string> = new Set(["Free Gifts", "Free Items", "Ipad", "Vouchers"]);

const spokenGenders: Readonly<Record<string, readonly string[]>> = {
  Men: ["mens", "men", "men's", "for men"],
  Women: ["womens", "women", "women's", "ladies", "for women"],
  Boys: ["boys", "for boys", "kids"],
  Girls: ["girls", "for girls", "kids"],
};
const fillers = ["cheap", "new", "best", "nice", "original"];

function ask(target: Garment, random: Random): RuledQuery<Garment> | undefined {
  if (unspokenTypes.has(target.type) || target.type === "") return undefined;
  const type = random.pick(spokenTypes[target.type] ?? singularAndPlural(target.type));
  const requirements = {
    gender: isOneIn(random, 4) ? undefined : spokenGenders[target.gender],
    colour: isOneIn(random, 4) || target.colour === "NA" ? undefined : target.colour,
    use: isOneIn(random, 4) && ["Sports", "Formal", "Ethnic", "Casual"].includes(target.use) ? target.use : undefined,
  };
  if (requirements.gender === undefined && requirements.colour === undefined) return undefined;
  const gender = requirements.gender === undefined ? undefined : random.pick(requirements.gender);
  const colour = requirements.colour === undefined ? undefined : spokenColour(requirements.colour, random);
  // The use is omitted if the type already contains it, as in "sports shoes".
  const use = type.includes((requirements.use ?? " ").toLowerCase()) ? undefined : requirements.use;
  const filler = isOneIn(random, 12) ? random.pick(fillers) : undefined;
  const order = random.below(4);
  const text =
    gender?.startsWith("for ") === true || order === 0
      ? joinWords(filler, colour, use, type, gender)
      : order === 1
        ? joinWords(filler, gender, colour, use, type)
        : order === 2
          ? joinWords(filler, type, colour, use, gender)
          : joinWords(filler, colour, gender, use, type);
  return {
    text,
    grade: (item) => gradeGarment(item, { type: target.type, family: target.family, gender, colour, use }),
  };
}

function spokenColour(colour: string, random: Random): string {
  if (colour === "Navy Blue") return random.pick(["navy blue", "navy", "dark blue"]);
  if (colour === "Grey") return random.pick(["grey", "gray"]);
  if (colour === "Multi") return "multicolour";
  return colour.toLowerCase();
}

function singularAndPlural(type: string): string[] {
  const lower = type.toLowerCase();
  return [
    lower,
    lower
      .split(" ")
      .map((word, at, words) => (at === words.length - 1 ? singular(word) : word))
      .join(" "),
  ];
}

interface Requirements {
  readonly type: string;
  readonly family: string;
  readonly gender: string | undefined;
  readonly colour: string | undefined;
  readonly use: string | undefined;
}

function gradeGarment(item: Garment, requirements: Requirements): number {
  const isGender = requirements.gender === undefined || matchesGender(item.gender, requirements.gender);
  const isColour = requirements.colour === undefined || matchesColour(item.colour, requirements.colour);
  const isUse = requirements.use === undefined || item.use === requirements.use;
  if (item.type !== requirements.type)
    return item.family === requirements.family && isGender && isColour && isUse ? 1 : 0;
  const missingCount = Number(!isColour) + Number(!isUse);
  // Women's shoes in the right color do not match a query for men's shoes.
  if (!isGender) return missingCount === 0 ? 1 : 0;
  return missingCount === 0 ? 3 : missingCount === 1 ? 2 : 1;
}

function matchesGender(gender: string, requestedWord: string): boolean {
  if (gender === "Unisex") return true;
  if (requestedWord === "kids") return gender === "Boys" || gender === "Girls";
  return spokenGenders[gender]?.includes(requestedWord) === true;
}

/** "Navy Blue" matches a query for "blue", but not the other way around. */
function matchesColour(colour: string, requestedWord: string): boolean {
  const colourName =
    { navy: "navy blue", "dark blue": "navy blue", gray: "grey", multicolour: "multi" }[requestedWord] ?? requestedWord;
  return ` ${colour.toLowerCase()} `.includes(` ${colourName} `);
}
