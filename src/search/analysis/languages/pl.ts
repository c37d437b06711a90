import type { Language } from "./language.ts";

/** Polish. */
export const polish: Language = {
  code: "pl",
  plurals: [
    ["", "y"],
    ["", "i"],
    ["a", "y"],
    ["a", "i"],
  ],
  functionWords: [
    "i",
    "a",
    "oraz",
    "lub",
    "albo",
    "z",
    "ze",
    "w",
    "we",
    "na",
    "do",
    "od",
    "dla",
    "bez",
    "o",
    "u",
    "po",
    "przed",
    "nad",
    "pod",
    "przy",
    "przez",
    "za",
    "jak",
    "jest",
  ],
};
