import type { Language } from "./language.ts";

/** Hebrew; letters have the shape that they have within a word. */
export const hebrew: Language = {
  code: "he",
  plurals: [
    ["", "ימ"],
    ["ה", "ות"],
    ["", "ות"],
    ["ת", "ות"],
    ["ה", "ת"],
  ],
  // The article, "and", "in", "for", "from", "that", "as", and their combinations.
  proclitics: ["ה", "ו", "ב", "ל", "מ", "ש", "כ", "וה", "שה", "מה", "וב", "ול"],
  keyboard: ["/'קראטוןםפ][", "שדגכעיחלךף,", "זסבהנמצתץ."],
  functionWords: ["של", "על", "עמ", "את", "או", "גמ", "ללא", "בלי", "בינ", "זה", "זו"],
  units: {
    m: ["מטר"],
    kg: ["קילו"],
    g: ["גרמ"],
    l: ["ליטר"],
    pc: ["יחידות", "חתיכות"],
    h: ["שעות"],
  },
};
