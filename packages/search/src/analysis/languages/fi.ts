import { germanicLinks, type Language } from "./language.ts";

/** Finnish. */
export const finnish: Language = {
  code: "fi",
  compoundLinks: germanicLinks,
  functionWords: ["ja", "tai", "seka", "kanssa", "ilman", "varten", "on"],
  units: {
    inch: ["tuuma", "tuumaa"],
    cm: ["senttimetria"],
    m: ["metri", "metria"],
    ml: ["millilitraa"],
    l: ["litra", "litraa"],
    g: ["gramma", "grammaa"],
    kg: ["kilo", "kiloa"],
    m2: ["neliometria"],
    deg: ["astetta"],
    h: ["tuntia"],
    pc: ["kpl", "kappaletta", "osainen"],
  },
};
