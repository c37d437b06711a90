import type { Language } from "./language.ts";

/** Turkish; ı and İ are folded to i, and ş, ğ, ç, ö and ü lose their marks. */
export const turkish: Language = {
  code: "tr",
  plurals: [
    ["", "lar"],
    ["", "ler"],
    // Possessive endings: "yağmur ceketi", "su şişesi".
    ["", "i"],
    ["", "u"],
    ["", "si"],
    ["", "su"],
    ["", "lari"],
    ["", "leri"],
    // k, p, ç and t soften before these: "yelek" is "yeleği".
    ["k", "gi"],
    ["k", "gu"],
    ["p", "bi"],
    ["t", "di"],
  ],
  phraseBreaks: ["icin", "ve"],
  purposes: ["icin"],
  fillers: ["için", "ile", "ve"],
  functionWords: ["ile", "bir", "bu", "de", "da", "veya", "icin", "gibi", "her"],
  units: {
    cm: ["santim", "santimetre"],
    mm: ["milimetre"],
    ml: ["mililitre"],
    kg: ["kilogram"],
    deg: ["derece"],
    h: ["saat"],
    pc: ["adet", "parca"],
  },
};
