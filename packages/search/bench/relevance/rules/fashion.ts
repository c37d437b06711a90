import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../../../bench/random.ts";
import { dataFolder } from "../../../../../bench/store.ts";
import type { JudgedQuery } from "../judged.ts";
import { drawQueries, type Item, once, type RuledQuery, singular, typed } from "./draw.ts";

/**
 * Clothing, described by type, gender, color and use. These columns are the ground truth, because titles contain only
 * some of them (none contains the use "casual", and many no gender).
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
  const lines = readFileSync(join(dataFolder(), "catalogues", "fashion-styles-44k.csv"), "utf8").split("\n");
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
const unspoken: ReadonlySet<string> = new Set(["Free Gifts", "Free Items", "Ipad", "Vouchers"]);

const spokenGenders: Readonly<Record<string, readonly string[]>> = {
  Men: ["mens", "men", "men's", "for men"],
  Women: ["womens", "women", "women's", "ladies", "for women"],
  Boys: ["boys", "for boys", "kids"],
  Girls: ["girls", "for girls", "kids"],
};
const fillers = ["cheap", "new", "best", "nice", "original"];

function ask(target: Garment, random: Random): RuledQuery<Garment> | undefined {
  if (unspoken.has(target.type) || target.type === "") return undefined;
  const type = random.pick(spokenTypes[target.type] ?? bothNumbers(target.type));
  const wants = {
    gender: once(random, 4) ? undefined : spokenGenders[target.gender],
    colour: once(random, 4) || target.colour === "NA" ? undefined : target.colour,
    use: once(random, 4) && ["Sports", "Formal", "Ethnic", "Casual"].includes(target.use) ? target.use : undefined,
  };
  if (wants.gender === undefined && wants.colour === undefined) return undefined;
  const gender = wants.gender === undefined ? undefined : random.pick(wants.gender);
  const colour = wants.colour === undefined ? undefined : spokenColour(wants.colour, random);
  // The type often contains the use: "sports shoes".
  const use = type.includes((wants.use ?? " ").toLowerCase()) ? undefined : wants.use;
  const filler = once(random, 12) ? random.pick(fillers) : undefined;
  const order = random.below(4);
  const text =
    gender?.startsWith("for ") === true || order === 0
      ? typed(filler, colour, use, type, gender)
      : order === 1
        ? typed(filler, gender, colour, use, type)
        : order === 2
          ? typed(filler, type, colour, use, gender)
          : typed(filler, colour, gender, use, type);
  return { text, grade: (item) => gradeOf(item, { type: target.type, family: target.family, gender, colour, use }) };
}

function spokenColour(colour: string, random: Random): string {
  if (colour === "Navy Blue") return random.pick(["navy blue", "navy", "dark blue"]);
  if (colour === "Grey") return random.pick(["grey", "gray"]);
  if (colour === "Multi") return "multicolour";
  return colour.toLowerCase();
}

function bothNumbers(type: string): string[] {
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

function gradeOf(item: Garment, wanted: Requirements): number {
  const isGender = wanted.gender === undefined || fitsGender(item.gender, wanted.gender);
  const isColour = wanted.colour === undefined || fitsColour(item.colour, wanted.colour);
  const isUse = wanted.use === undefined || item.use === wanted.use;
  if (item.type !== wanted.type) return item.family === wanted.family && isGender && isColour && isUse ? 1 : 0;
  const missing = Number(!isColour) + Number(!isUse);
  // Women's shoes in the right color do not match a query for men's shoes.
  if (!isGender) return missing === 0 ? 1 : 0;
  return missing === 0 ? 3 : missing === 1 ? 2 : 1;
}

function fitsGender(gender: string, spoken: string): boolean {
  if (gender === "Unisex") return true;
  if (spoken === "kids") return gender === "Boys" || gender === "Girls";
  return spokenGenders[gender]?.includes(spoken) === true;
}

/** "Navy Blue" matches a query for "blue", but not the other way around. */
function fitsColour(colour: string, spoken: string): boolean {
  const plain = { navy: "navy blue", "dark blue": "navy blue", gray: "grey", multicolour: "multi" }[spoken] ?? spoken;
  return ` ${colour.toLowerCase()} `.includes(` ${plain} `);
}
