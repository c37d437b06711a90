import { germanicLinks, type Language } from "./language.ts";

/** Icelandic. */
export const icelandic: Language = {
  code: "is",
  compoundLinks: germanicLinks,
  functionWords: ["og", "eda", "med", "fyrir", "an", "i", "a", "til", "fra", "um", "vid", "hja", "sem", "er"],
  units: {
    inch: ["tommu", "tommur"],
    cm: ["sentimetrar"],
    m: ["metrar", "metra"],
    ml: ["millilitrar"],
    l: ["litri", "litrar", "litra"],
    g: ["gromm", "gramm"],
    kg: ["kilo", "kiloa"],
    m2: ["fermetrar"],
    deg: ["gradur"],
    pc: ["stykki"],
  },
};
