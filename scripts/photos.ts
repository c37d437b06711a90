// Takes the demo store's photographs: its drawings, made up as small models of cloth, enamel, wood and rope that lie by a window.
//   node scripts/photos.ts [--missing] [handle ...]      some ten seconds a product
// Which ones there are says the catalogue: /media/<handle>[-<colour>][-near|-detail].webp
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { photograph, type View } from "./photos/camera.ts";
import { dyed, parseDrawing, rasterize, rasterizeShapes } from "./photos/drawing.ts";
import { dyes } from "./photos/dyes.ts";
import { type Light, lightRelief, shade } from "./photos/light.ts";
import { recipeOf } from "./photos/recipes.ts";
import { makeModel, painted } from "./photos/scene.ts";

interface Row {
  readonly handle: string;
  readonly product_type: string;
  readonly images: readonly { readonly src: string }[];
}

/** Points of the model, and pixels of a picture; one from nearby has no more to show. */
const POINTS = 1_040;
const PIXELS = 800;
const PIXELS_NEARBY = 600;
const light: Light = { azimuth: -2.35, elevation: 0.72, softness: 0.16, key: 0.66, fill: 0.3 };
const views = {
  whole: { x: 0.5, y: 0.5, width: 0.7, tilt: 0, turn: 0, open: 0 },
  near: { x: 0.47, y: 0.45, width: 0.54, tilt: 0.84, turn: 0.5, open: 0.05 },
  detail: { x: 0.5, y: 0.4, width: 0.34, tilt: 0.5, turn: -0.35, open: 0.025 },
} satisfies Readonly<Record<string, View>>;

const store = fileURLToPath(new URL("../examples/harbour-outfitters/", import.meta.url));
const drawings = fileURLToPath(new URL("photos/drawings/", import.meta.url));
const asked = process.argv.slice(2).filter((one) => one !== "--missing");
const isMissing = (src: string): boolean => !existsSync(store + src.slice(1));
const rows = (await readFile(`${store}catalog/products.jsonl`, "utf8"))
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);
for (const row of rows) {
  if (asked.length > 0 && !asked.includes(row.handle)) continue;
  const wanted = row.images.map(({ src }) => src).filter((src) => src.endsWith(".webp"));
  const due = process.argv.includes("--missing") ? wanted.filter(isMissing) : wanted;
  if (due.length > 0) await take(row, due);
}

/** @param pictures the addresses of some of a product's photographs */
async function take({ handle, product_type }: Row, pictures: readonly string[]): Promise<void> {
  const drawing = parseDrawing(await readFile(`${drawings}${handle}.svg`, "utf8"));
  const { stuff, ground } = recipeOf(handle, product_type);
  const shapes = await rasterizeShapes(drawing.shapes, POINTS);
  const model = makeModel(shapes, stuff, ground, drawing.ground);
  const lighting = lightRelief(model.height, light);
  for (const [colour, dye] of Object.entries(dyes[handle] ?? { "": {} })) {
    const name = `/media/${handle}${colour && `-${colour.toLowerCase()}`}`;
    const due = Object.entries(views).filter(([view]) => pictures.includes(addressOf(name, view)));
    if (due.length === 0) continue;
    const { shapes: inked } = dyed(drawing, new Map(Object.entries(dye)));
    const scene = painted(model, await rasterize(inked, POINTS), stuff);
    const seen = shade(scene, lighting, light);
    for (const [view, where] of due) {
      const pixels = view === "whole" ? PIXELS : PIXELS_NEARBY;
      const bytes = photograph(scene.height, seen, where, pixels);
      const picture = sharp(bytes, { raw: { width: pixels, height: pixels, channels: 3 } });
      // Upright, as a photographer would hold the camera.
      if (view === "detail") picture.extract({ left: pixels / 10, top: 0, width: pixels * 0.8, height: pixels });
      picture.resize({ height: PIXELS });
      await picture.webp({ quality: 74, effort: 6 }).toFile(store + addressOf(name, view).slice(1));
    }
    console.log(name);
  }
}

function addressOf(name: string, view: string): string {
  return `${name}${view === "whole" ? "" : `-${view}`}.webp`;
}
