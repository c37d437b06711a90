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
};
