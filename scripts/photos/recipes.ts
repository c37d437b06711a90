import type { Ground, Stuff } from "./scene.ts";

/** Of what a product's drawing is made for its photographs, and on what it lies. */
export interface Recipe {
  readonly stuff: Stuff;
  readonly ground: Ground;
}

const byType: Readonly<Record<string, Recipe>> = {
  Rainwear: { stuff: "oilskin", ground: "boards" },
  Knitwear: { stuff: "knit", ground: "linen" },
  Footwear: { stuff: "leather", ground: "boards" },
  Bags: { stuff: "canvas", ground: "plaster" },
  Lighting: { stuff: "enamel", ground: "boards" },
  Enamelware: { stuff: "enamel", ground: "linen" },
  "Galley & Home": { stuff: "wood", ground: "linen" },
  "Rope & Tackle": { stuff: "rope", ground: "boards" },
  "Tea & Larder": { stuff: "paper", ground: "boards" },
  "Charts & Books": { stuff: "paper", ground: "plaster" },
  Workshops: { stuff: "rope", ground: "plaster" },
  "Tools & Mending": { stuff: "leather", ground: "boards" },
  "Wash & Care": { stuff: "leather", ground: "plaster" },
  "Sea Swimming": { stuff: "knit", ground: "boards" },
};

/** Where a thing is not of what its kind is of. */
const byHandle: Readonly<Record<string, Stuff>> = {
  "rain-boots": "leather",
  "rain-gauge": "enamel",
  "storm-smock": "canvas",
  "net-loft-slippers": "knit",
  "brass-shackle": "enamel",
  "splicing-kit": "leather",
  "rope-doormat": "rope",
  "signal-tea-towel": "canvas",
  "brass-barometer": "enamel",
  "ships-bell": "enamel",
  "watch-blanket": "knit",
  "rigging-knife": "enamel",
  "canvas-wax": "enamel",
  "steel-flask": "enamel",
  "dry-bag": "oilskin",
};

export function recipeOf(handle: string, type: string): Recipe {
  const recipe = byType[type];
  if (recipe === undefined) throw new Error(`No recipe for the product type "${type}": add one to photos/recipes.ts.`);
  return { ...recipe, stuff: byHandle[handle] ?? recipe.stuff };
}
