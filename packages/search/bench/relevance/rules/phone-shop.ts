import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../../../bench/random.ts";
import { dataFolder } from "../../../../../bench/store.ts";
import type { JudgedQuery } from "../judged.ts";
import { drawQueries, type Item, isOneIn, joinWords, type RuledQuery } from "./draw.ts";

interface Source {
  readonly name: string;
  readonly brand: string;
  readonly categories: readonly string[];
}

/**
 * A phone or accessory. Its kind comes from the category path, its brand from the brand column, and its phone model and
 * color from the name.
 */
interface PhoneProduct extends Item {
  readonly kind: string;
  readonly brand: string;
  /** Phone model, such as "iphone 7 plus", or "" if the name contains none. */
  readonly model: string;
  readonly colours: readonly string[];
}

export function phoneShopQueries(): JudgedQuery[] {
  const sources = JSON.parse(
    readFileSync(join(dataFolder(), "catalogues", "bestbuy-3k.json"), "utf8"),
  ) as readonly Source[];
  const products = sources.map((source, at): PhoneProduct => ({ id: String(at + 1), ...readProduct(source) }));
  return drawQueries(products, { count: 240, seed: 25, maxPerKind: 60 }, ({ kind }) => kind, ask);
}

function readProduct({ name, brand, categories }: Source): Omit<PhoneProduct, "id"> {
  const path = categories.join(" > ");
  return {
    title: name,
    kind: kinds.find(([pattern]) => pattern.test(path))?.[1] ?? "",
    brand: brand.toLowerCase(),
    model: modelOf(name),
    colours: (/ - ([^-]+)$/.exec(name)?.[1] ?? "")
      .toLowerCase()
      .split(/[/,]/)
      .map((colour) => colour.trim()),
  };
}

/** Kinds of products, each with a pattern for the category path. The first match counts. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/Bands$/, "band"],
  [/Screen Protectors/, "screen protector"],
  [/Cases|Armbands/, "case"],
  [/Data Cables|Cables$/, "cable"],
  [/Car Chargers/, "car charger"],
  [/Mounts/, "mount"],
  [/Wireless Chargers$/, "wireless charger"],
  [/Selfie/, "selfie stick"],
  [/Internal Batteries/, "battery"],
  [/Bluetooth Headsets|Headsets$/, "headset"],
  [/Tracker/, "tracker"],
  [/SIM Cards/, "sim card"],
  [/Prepaid Minutes/, "prepaid card"],
  [/(Phones|Plans|iPhone|iPhone SE)$/, "phone"],
];

const spokenKinds: Readonly<Record<string, readonly string[]>> = {
  case: ["case", "cases", "cover"],
  "screen protector": ["screen protector", "screen protectors", "screen guard"],
  phone: ["phone", "cell phone", "smartphone"],
  band: ["band", "bands", "watch band", "strap"],
  cable: ["cable", "charging cable", "usb cable"],
  mount: ["mount", "car mount", "holder"],
};

function modelOf(name: string): string {
  const modelMatch =
    /iPhone (SE|\d\w*)( Plus)?|Galaxy (S|Note|J|A) ?\d+( edge\+?)?|Galaxy Express( \w+)?|Moto \w\d?|Apple Watch|LG \w\d+|Nexus \w+/i.exec(
      name,
    );
  return modelMatch === null ? "" : modelMatch[0].toLowerCase();
}

function ask(target: PhoneProduct, random: Random): RuledQuery<PhoneProduct> | undefined {
  if (target.kind === "") return undefined;
  const colours = target.colours.filter((colour) => /^[a-z ]{3,12}$/.test(colour));
  const brand = isOneIn(random, 2) ? target.brand : undefined;
  const model = target.model === "" || isOneIn(random, 5) ? undefined : target.model;
  const colour = isOneIn(random, 3) && colours.length > 0 ? random.pick(colours) : undefined;
  if (brand === undefined && model === undefined) return undefined;
  const kind = random.pick(spokenKinds[target.kind] ?? [target.kind, `${target.kind}s`]);
  const order = random.below(3);
  const text =
    // A query with a phone model does not also contain the word "phone".
    target.kind === "phone" && model !== undefined
      ? joinWords(brand === undefined || model.includes(brand) ? "" : brand, model, colour)
      : order === 0
        ? joinWords(brand, model, kind, colour)
        : order === 1
          ? joinWords(colour, brand, kind, model === undefined ? "" : `for ${model}`)
          : joinWords(model, colour, kind, brand);
  return {
    text,
    grade(item) {
      if (item.kind !== target.kind || (model !== undefined && item.model !== model)) return 0;
      const isColour = colour === undefined || item.colours.includes(colour);
      const isBrand = brand === undefined || item.brand === brand;
      // An accessory of the same kind for the same phone, of another brand, is acceptable.
      return isBrand ? (isColour ? 3 : 2) : model === undefined ? 0 : 1;
    },
  };
}
