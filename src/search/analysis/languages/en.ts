import type { Language } from "./language.ts";

/** English. */
export const english: Language = {
  code: "en",
  articles: ["a", "an", "the"],
  phraseBreaks: ["for", "with", "and", "in", "of", "by", "to", "from", "on", "at", "w"],
  purposes: ["for"],
  fillers: ["and", "or", "for", "with", "the", "a", "an", "in", "of", "on", "to", "by", "from"],
  units: {
    ml: ["milliliter", "millilitre", "milliliters", "millilitres"],
    cl: ["centiliter", "centilitre"],
    dl: ["deciliter", "decilitre"],
    l: ["liter", "litre", "liters", "litres"],
    g: ["gram", "grams", "gramme", "grammes"],
    kg: ["kilo", "kilos", "kilogram", "kilograms"],
    mm: ["millimeter", "millimetre", "millimeters", "millimetres"],
    cm: ["centimeter", "centimetre", "centimeters", "centimetres"],
    m: ["meter", "metre", "meters", "metres"],
    in: ["inch", "inches"],
    ft: ["foot", "feet"],
    w: ["watt", "watts"],
    kw: ["kilowatt", "kilowatts"],
    v: ["volt", "volts"],
    gb: ["gigabyte", "gigabytes"],
    tb: ["terabyte", "terabytes"],
    hz: ["hertz"],
  },
};
