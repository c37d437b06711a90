import sharp from "sharp";
import type { Field } from "./field.ts";

/** Colours linear from 0 to 1, and how much each point is covered. */
export interface Raster {
  readonly size: number;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
  readonly alpha: Float32Array;
}

/** A drawing of 400 by 400 units, its ground apart from its shapes. */
export interface Drawing {
  /** "#rrggbb" */
  readonly ground: string;
  /** One element each, from the lowest to the highest. */
  readonly shapes: readonly string[];
}

/** Units of the drawing that are shown: there is more ground about it than it has itself. */
export const SHOWN_UNITS = 520;

export function parseDrawing(svg: string): Drawing {
  const inner = svg
    .replace(/^[\s\S]*?<\/title>/, "")
    .replace("</svg>", "")
    .replace(air, "");
  const [first = "", , ...shapes] = ungrouped(inner);
  const ground = /fill="(#[0-9a-f]{6})"/.exec(first)?.[1];
  if (ground === undefined) throw new Error("The drawing has no ground: its first element must be a filled rectangle.");
  return { ground, shapes };
}

/** The shapes one by one, each where its groups put it. */
function ungrouped(svg: string): readonly string[] {
  const groups: string[] = [];
  const shapes: string[] = [];
  for (const [tag] of svg.matchAll(/<g\b[^>]*>|<\/g>|<text\b[\s\S]*?<\/text>|<\w+\b[^>]*\/>/g))
    if (tag === "</g>") groups.pop();
    else if (/^<g\b/.test(tag)) groups.push(tag);
    else shapes.push(groups.join("") + tag + "</g>".repeat(groups.length));
  return shapes;
}

/** Steam, reflections and the beam of a torch: nothing that could lie on a table. */
const air = /<\w+ [^>]*(?:opacity="\.[78]"|fill="#f7dc8a")[^>]*\/>/g;

/** @param dyes "#rrggbb" -> what is in its place */
export function dyed({ ground, shapes }: Drawing, dyes: ReadonlyMap<string, string>): Drawing {
  const inked = shapes.map((shape) => shape.replace(/#[0-9a-f]{6}/g, (colour) => dyes.get(colour) ?? colour));
  return { ground, shapes: inked };
}

export async function rasterize(shapes: readonly string[], size: number): Promise<Raster> {
  const from = (400 - SHOWN_UNITS) / 2;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" ` +
    `viewBox="${from} ${from} ${SHOWN_UNITS} ${SHOWN_UNITS}">${shapes.join("")}</svg>`;
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const count = size * size;
  const raster: Raster = {
    size,
    red: new Float32Array(count),
    green: new Float32Array(count),
    blue: new Float32Array(count),
    alpha: new Float32Array(count),
  };
  for (let index = 0; index < count; index += 1) {
    raster.red[index] = toLinear[data[index * 4]!]!;
    raster.green[index] = toLinear[data[index * 4 + 1]!]!;
    raster.blue[index] = toLinear[data[index * 4 + 2]!]!;
    raster.alpha[index] = data[index * 4 + 3]! / 255;
  }
  return raster;
}

/** Where each shape is, by itself. */
export async function rasterizeShapes(shapes: readonly string[], size: number): Promise<readonly Field[]> {
  const masks: Field[] = [];
  for (const shape of shapes) {
    const opaque = shape.replace(/ opacity="[^"]*"/g, "");
    masks.push({ size, values: (await rasterize([opaque], size)).alpha });
  }
  return masks;
}

/** @param colour "#rrggbb" @returns red, green, blue from 0 to 1 */
export function linear(colour: string): readonly [number, number, number] {
  const at = (start: number): number => toLinear[Number.parseInt(colour.slice(start, start + 2), 16)]!;
  return [at(1), at(3), at(5)];
}

const toLinear: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
