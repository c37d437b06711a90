import type { Language } from "./language.ts";

/** Spanish. */
export const spanish: Language = {
  code: "es",
  articles: ["el", "la", "los", "las", "un", "una", "unos", "unas"],
  plurals: [["z", "ces"]],
  phraseBreaks: ["para", "con", "y", "de", "en"],
  purposes: ["para"],
  fillers: ["de", "la", "el", "los", "del", "en", "y", "con", "para", "por"],
  functionWords: ["al", "sin", "o", "u", "e", "sobre", "entre", "desde", "hasta", "como", "que", "su", "a", "lo"],
  units: {
    inch: ["pulgada", "pulgadas"],
    cm: ["centimetro", "centimetros"],
    m: ["metro", "metros"],
    ml: ["mililitro", "mililitros"],
    l: ["litro", "litros"],
    gal: ["galon", "galones"],
    g: ["gramo", "gramos"],
    kg: ["kilogramo", "kilogramos"],
    oz: ["onza", "onzas"],
    lb: ["libra", "libras"],
    m2: ["metros cuadrados", "metro cuadrado"],
    w: ["vatios", "vatio"],
    v: ["voltio", "voltios"],
    a: ["amperios", "amperio"],
    deg: ["grados"],
    h: ["horas"],
    pc: ["unidad", "unidades", "ud", "uds", "pieza", "piezas"],
  },
  times: ["por"],
  packs: ["pack de", "paquete de", "caja de", "juego de", "lote de"],
};
