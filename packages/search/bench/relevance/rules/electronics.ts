import type { Random } from "../../../../../bench/random.ts";
import { readDataLines } from "../../../../../bench/store.ts";
import type { JudgedQuery } from "../judged.ts";
import { type Device, readDevice, type Trait } from "./devices.ts";
import { drawQueries, isOneIn, joinWords, type RuledQuery } from "./draw.ts";

/** Traits that a product must match to be useful, such as the plugs of a cable or the printer of a cartridge. */
const essentialTraits: ReadonlySet<Trait> = new Set(["plugs", "model"]);
const fillers = ["best", "cheap", "original", "new"];

/** Creates queries for electronics from attributes, such as "27 inch monitor hp" or "cat6 patch cable 3m blue". */
export function electronicsQueries(): JudgedQuery[] {
  const devices = readDataLines("catalogues/icecat-19k.jsonl")
    .map((line) => readDevice(JSON.parse(line) as Readonly<Record<string, unknown>>))
    .filter((device) => device !== undefined);
  return drawQueries(devices, { count: 240, seed: 24, maxPerKind: 45 }, ({ kind }) => kind, ask);
}

function ask(target: Device, random: Random): RuledQuery<Device> | undefined {
  const knownTraits = [...target.traits.keys()];
  const traits = random.sample(knownTraits, 1 + random.below(Math.min(3, knownTraits.length)));
  // Shoppers do not search for a cable without naming its plugs.
  if (knownTraits.includes("plugs") && !traits.includes("plugs")) traits.push("plugs");
  if (traits.length === 0) return undefined;
  const requiredTraits = traits.map((trait) => {
    const value = target.traits.get(trait) ?? "";
    // A cartridge fits several printers, and a query names one of them.
    return [trait, trait === "model" ? random.pick(value.split(" ")) : value] as const;
  });
  const phrases = requiredTraits.map(([trait, value]) => [trait, phraseTrait(trait, value, random)] as const);
  const phrasesBefore = phrases.filter(
    ([trait]) => trait === "brand" || trait === "plugs" || (trait !== "model" && isOneIn(random, 2)),
  );
  const phrasesAfter = phrases.filter((one) => !phrasesBefore.includes(one));
  const filler = isOneIn(random, 15) ? random.pick(fillers) : undefined;
  const kind = random.pick(spokenKinds[target.kind] ?? [target.kind]);
  const text = joinWords(
    filler,
    ...phrasesBefore.map(([, word]) => word),
    kind,
    ...phrasesAfter.map(([, word]) => word),
  );
  return {
    text,
    grade(item) {
      if (item.kind !== target.kind) return 0;
      const missingTraits = requiredTraits.filter(
        ([trait, value]) => !matchesTrait(trait, item.traits.get(trait), value),
      );
      if (missingTraits.some(([trait]) => essentialTraits.has(trait))) return 0;
      return missingTraits.length === 0 ? 3 : missingTraits.length === 1 && requiredTraits.length > 1 ? 2 : 1;
    },
  };
}

const spokenKinds: Readonly<Record<string, readonly string[]>> = {
  cable: ["cable", "cables", "cord"],
  toner: ["toner", "toner cartridge"],
  ink: ["ink", "ink cartridge", "cartridge"],
  notebook: ["laptop", "notebook", "notebook"],
  monitor: ["monitor", "display", "lcd monitor"],
  tv: ["tv", "television"],
  headphones: ["headphones", "headphone"],
  processor: ["processor", "cpu", "processors"],
};

function phraseTrait(trait: Trait, value: string, random: Random): string {
  switch (trait) {
    case "diagonal":
      return random.pick([`${value} inch`, `${value}"`, `${value}in`, value]);
    case "length": {
      const metres = Number(value);
      const feet = Math.round(metres / 0.3048);
      const roundedMetres = String(Math.round(metres * 10) / 10);
      const metric = [`${roundedMetres}m`, `${roundedMetres} m`, `${roundedMetres} meter`];
      return random.pick(feet < 1 ? metric : [...metric, `${feet}ft`, `${feet} ft`]);
    }
    case "memory":
      return random.pick([`${value}gb`, `${value} gb`, `${value}gb ram`]);
    case "speed":
      return random.pick([`${value}ghz`, `${value} ghz`]);
    case "colour":
      return value === "grey" ? random.pick(["grey", "gray"]) : value;
    default:
      return value;
  }
}

/**
 * Returns whether a product's value of a trait matches the requested value. Lengths and screen diagonals need not match
 * exactly, because catalogs round them.
 */
function matchesTrait(trait: Trait, value: string | undefined, requiredTraits: string): boolean {
  if (value === undefined) return false;
  if (trait === "length") return Math.abs(Number(value) - Number(requiredTraits)) <= Number(requiredTraits) * 0.06;
  if (trait === "diagonal") return Math.abs(Number(value) - Number(requiredTraits)) < 0.3;
  if (trait === "model") return value.split(" ").includes(requiredTraits);
  return value === requiredTraits;
}
