/** For each product that comes in several colours: which drawing's colours become which. Empty: as it is drawn. */
type Dyes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Each colour as a drawing has it: in the light, plain, in the shade. */
const shades: Readonly<Record<string, readonly [light: string, plain: string, dark: string]>> = {
  Yellow: ["#f2c75a", "#e8b33c", "#d49a24"],
  Navy: ["#34597d", "#1d3a57", "#152b41"],
  Olive: ["#74855a", "#66754a", "#4f5b38"],
  Red: ["#d9705c", "#c8503c", "#a93e2d"],
  Cream: ["#fbf7ee", "#f4ead7", "#d8c6a6"],
  Rust: ["#bd6d40", "#a85b32", "#8c4826"],
  Moss: ["#5f7a5a", "#4b6348", "#37492f"],
  Tan: ["#d9b382", "#c99a62", "#a77b48"],
  Natural: ["#fbf7ee", "#e9e0cc", "#cbbd9f"],
  Blue: ["#6fa0c2", "#4f86ad", "#3a6a8c"],
  Black: ["#4a545c", "#2a3036", "#1c2126"],
};

/** The colours of a drawing that a dye replaces, from light to dark. */
function dye(light: string, plain: string, dark: string, ...colours: readonly string[]): Dyes {
  return Object.fromEntries(
    colours.map((colour) => {
      const [bright, middle, deep] = shades[colour] ?? [];
      if (bright === undefined || middle === undefined || deep === undefined) throw new Error(`No shades of ${colour}`);
      return [colour, { [dark]: deep, [light]: bright, [plain]: middle }];
    }),
  );
}

export const dyes: Readonly<Record<string, Dyes>> = {
  raincoat: { Yellow: {}, ...dye("", "#e8b33c", "#d49a24", "Navy") },
  "rain-hat": { Yellow: {}, ...dye("", "#e8b33c", "#d49a24", "Olive") },
  "rain-cape": { Red: {}, ...dye("", "#c8503c", "#a93e2d", "Navy") },
  "little-raincoat": { Red: {}, ...dye("", "#c8503c", "#a93e2d", "Yellow") },
  "harbour-jumper": {
    Navy: {},
    Cream: { ...dye("#34597d", "#1d3a57", "#152b41", "Cream").Cream, "#f4ead7": "#1d3a57", "#34597d": "#a8b4ba" },
  },
  "watch-cap": {
    Rust: {},
    Navy: { "#bd6d40": "#34597d", "#a85b32": "#1d3a57", "#8c4826": "#152b41", "#9b5530": "#1d3a57" },
    Moss: { "#bd6d40": "#5f7a5a", "#a85b32": "#4b6348", "#8c4826": "#37492f", "#9b5530": "#4b6348" },
  },
  "fingerless-mitts": {
    Cream: { "#a85b32": "#f4ead7", "#8c4826": "#d8c6a6" },
    Rust: { "#f4ead7": "#a85b32", "#d8c6a6": "#8c4826" },
  },
  "ribbed-scarf": { Moss: {}, ...dye("#74855a", "#66754a", "#3f4a2c", "Cream", "Rust") },
  "deck-shoes": {
    Tan: { "#1d3a57": "#c99a62", "#152b41": "#a77b48" },
    Navy: { "#c99a62": "#1d3a57", "#a77b48": "#152b41" },
  },
  "canvas-tote": { Natural: {}, Navy: { "#f4ead7": "#1d3a57", "#1d3a57": "#f4ead7" } },
  "kit-bag": { Olive: {}, ...dye("", "#66754a", "#4f5b38", "Navy") },
  "storm-lantern": { Brass: {}, ...dye("", "#c9993a", "#a87d28", "Black") },
  "pocket-torch": {
    Black: { "#c8503c": "#22303a" },
    Red: { "#3a4a56": "#c8503c", "#22303a": "#a93e2d", "#c8503c": "#22303a" },
  },
  "enamel-mug": {
    Cream: {},
    Blue: { "#fbf7ee": "#4f86ad", "#3f7c8c": "#f4ead7" },
    Red: { "#fbf7ee": "#c8503c", "#3f7c8c": "#f4ead7" },
  },
  "enamel-kettle": { Cream: { "#3f7c8c": "#f4ead7", "#fbf7ee": "#d8c6a6" }, Blue: { "#3f7c8c": "#4f86ad" } },
  "enamel-bowl": { Cream: {}, Blue: { "#fbf7ee": "#4f86ad" } },
  "oilskin-apron": { Yellow: {}, ...dye("", "#e8b33c", "#d49a24", "Olive") },
  "headland-anorak": { Olive: {}, ...dye("", "#7b8250", "#626a3e", "Rust") },
  "harbour-umbrella": { Navy: { "#e8b33c": "#34597d" }, Yellow: { "#1d3a57": "#d49a24" } },
  "little-boots": { Red: {}, ...dye("", "#c8503c", "#a63d2c", "Yellow") },
  "little-jumper": {
    Cream: {},
    Moss: { "#e9e0cc": "#5f7a5a", "#fbf7ee": "#74855a", "#3f7c8c": "#f4ead7", "#b5623a": "#e8b33c" },
  },
  "double-mittens": { Navy: {}, ...dye("", "#1d3a57", "#152b41", "Moss") },
  "gale-collar": { Rust: {}, ...dye("#b5623a", "#944c2a", "#7c3d21", "Navy", "Cream") },
  "sail-pouch": { Natural: {}, Rust: { "#e9e0cc": "#b5623a", "#b5623a": "#e9e0cc", "#fbf7ee": "#944c2a" } },
  "candle-lantern": { Brass: {}, ...dye("", "#c9993a", "#a87d28", "Black") },
  "enamel-plate": { Cream: {}, Blue: { "#fbf7ee": "#4f86ad", "#e9e0cc": "#3a6a8c", "#3f7c8c": "#f4ead7" } },
  "enamel-jug": {
    Blue: {},
    Cream: { "#4f86ad": "#f4ead7", "#3a6a8c": "#d8c6a6", "#fbf7ee": "#3f7c8c" },
    Red: { "#4f86ad": "#c8503c", "#3a6a8c": "#a93e2d" },
  },
  "coffee-pot": { Cream: {}, Blue: { "#e9e0cc": "#3a6a8c", "#fbf7ee": "#4f86ad", "#3f7c8c": "#f4ead7" } },
  "watch-blanket": { Moss: {}, ...dye("#5f7a5a", "#4b6348", "", "Navy") },
  "swimmers-robe": { Navy: {}, ...dye("", "#1d3a57", "#152b41", "Moss") },
  "steel-flask": { Cream: {}, Navy: { "#1d3a57": "#f4ead7", "#152b41": "#d8c6a6", "#fbf7ee": "#1d3a57" } },
};
