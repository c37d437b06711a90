import { germanicLinks, type Language } from "./language.ts";

/** German. */
export const german: Language = {
  code: "de",
  articles: ["der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines"],
  plurals: [
    ["", "e"],
    ["", "en"],
    // "Lampen", "Gabeln", "Federn"; "brow" is no "brown".
    ["e", "en"],
    ["el", "eln"],
    ["er", "ern"],
    ["", "er"],
    ["in", "innen"],
  ],
  compoundLinks: germanicLinks,
  phraseBreaks: ["mit", "und", "von", "im"],
  purposes: ["fur"],
  fillers: ["und", "der", "die", "das", "mit", "für", "von", "im"],
  units: {
    g: ["gramm"],
    kg: ["kilogramm"],
    in: ["zoll"],
  },
};
