import type { Raster } from "./drawing.ts";
import { blurred, distances, type Field, field } from "./field.ts";
import { paintGround } from "./ground.ts";
import { grain, layered, noise, smoothstep } from "./noise.ts";

/** What things are made of: how they give, how they are woven and how they shine. */
export type Stuff = "oilskin" | "knit" | "canvas" | "leather" | "enamel" | "wood" | "paper" | "rope";
export type Ground = "boards" | "linen" | "plaster";

/** Things that lie on a ground, seen from above: sizes in points, colours linear from 0 to 1. */
export interface Scene {
  readonly size: number;
  readonly height: Field;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
  /** 0: matt; 1: a mirror of the window. */
  readonly gloss: Float32Array;
  /** 0 or 1. */
  readonly metal: Float32Array;
}

interface Making {
  /** Points for a thing of 1,000: how thick, and over how wide an edge it becomes so. */
  readonly thick: number;
  readonly edge: number;
  readonly gloss: number;
  readonly folds: number;
}

const makings: Readonly<Record<Stuff, Making>> = {
  oilskin: { thick: 26, edge: 40, gloss: 0.32, folds: 7 },
  knit: { thick: 34, edge: 44, gloss: 0, folds: 6 },
  canvas: { thick: 26, edge: 34, gloss: 0.03, folds: 4 },
  leather: { thick: 44, edge: 60, gloss: 0.2, folds: 2 },
  enamel: { thick: 60, edge: 90, gloss: 0.75, folds: 0 },
  wood: { thick: 24, edge: 14, gloss: 0.12, folds: 0 },
  paper: { thick: 7, edge: 8, gloss: 0.04, folds: 0.6 },
  rope: { thick: 40, edge: 40, gloss: 0.03, folds: 1 },
};

/** The things themselves, of whatever colour. @param layers the drawing's shapes from the lowest to the highest */
export function makeModel(layers: readonly Field[], stuff: Stuff, ground: Ground, tint: string): Scene {
  const size = layers[0]?.size ?? 0;
  const scale = size / 1_000;
  const height = field(size);
  const whole = size * size;
  const scene: Scene = {
    size,
    height,
    red: new Float32Array(whole),
    green: new Float32Array(whole),
    blue: new Float32Array(whole),
    gloss: new Float32Array(whole),
    metal: new Float32Array(whole),
  };
  paintGround(scene, ground, tint);
  // The ground does not show through what lies on it.
  for (const { values } of layers)
    for (let index = 0; index < whole; index += 1) height.values[index] = height.values[index]! * (1 - values[index]!);
  for (const [index, layer] of layers.entries()) pile(height, layer, makings[stuff], stuff, scale, index);
  return { ...scene, height: blurred(height, 1) };
}

/** The same model in the colours of a drawing. @param paint all of the drawing's shapes in one */
export function painted(model: Scene, paint: Raster, stuff: Stuff): Scene {
  const { red, green, blue, gloss, metal } = model;
  const scene = {
    ...model,
    red: red.slice(),
    green: green.slice(),
    blue: blue.slice(),
    gloss: gloss.slice(),
    metal: metal.slice(),
  };
  cover(scene, paint, makings[stuff], stuff);
  return scene;
}

/** Lays a shape upon what is there, filled like a cushion. */
function pile(height: Field, layer: Field, making: Making, stuff: Stuff, scale: number, seed: number): void {
  const inside = distances(layer);
  let deepest = 0;
  let area = 0;
  for (const one of inside.values) {
    if (one > deepest) deepest = one;
    if (one > 0) area += 1;
  }
  if (deepest < 1) return;
  const { size } = layer;
  const edge = Math.min(making.edge * scale, deepest);
  const thick = Math.min(making.thick * scale, edge * 0.8);
  const isCloth = area > size * size * 0.02;
  const filled = field(size);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const index = y * size + x;
      const depth = inside.values[index]!;
      if (depth === 0) continue;
      const rest = 1 - Math.min(1, depth / edge);
      filled.values[index] = thick * Math.sqrt(1 - rest * rest);
    }
  }
  // Without this, a ridge would run wherever two edges are equally far.
  const round = edge > 12 * scale ? blurred(filled, Math.round(edge / 7)) : filled;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const index = y * size + x;
      const depth = inside.values[index]!;
      if (depth === 0) continue;
      let up = Math.min(round.values[index]!, depth * 2.5);
      if (isCloth) {
        const firm = smoothstep(0, edge * 1.5, depth);
        up += firm * scale * folds(x / scale, y / scale, seed) * making.folds;
        if (stuff === "knit") up += smoothstep(0, edge * 0.6, depth) * scale * stitches(x / scale, y / scale);
      }
      if (stuff === "rope") up += smoothstep(0, edge, depth) * scale * 3 * Math.sin((x + y * 0.8) / scale / 3.4);
      height.values[index] = height.values[index]! + up;
    }
  }
}

/** Folds of cloth that hangs or lies, from -1 to 1: sharp on top and wide below. */
function folds(x: number, y: number, seed: number): number {
  const bentX = x + 40 * noise(x / 170, y / 170, seed + 11);
  const bentY = y + 60 * noise(x / 150, y / 150, seed + 12);
  const long = 1 - 2 * Math.abs(noise(bentX / 70, bentY / 260, seed + 13));
  const cross = 1 - 2 * Math.abs(noise((bentX + bentY) / 120, (bentX - bentY) / 210, seed + 14));
  return long * 0.6 + cross * 0.4;
}

/** Knitted V's, each some 11 by 9 points. */
function stitches(x: number, y: number): number {
  const column = x / 11 + 0.06 * noise(x / 30, y / 30, 5);
  const across = Math.abs(column - Math.floor(column) - 0.5) * 2;
  const row = y / 9 + across * 0.55 + 0.1 * noise(x / 25, y / 25, 6);
  return 2.6 * Math.cos(row * 2 * Math.PI) * (1 - across * across) - 2.6 * across ** 6;
}

function cover(scene: Scene, paint: Raster, making: Making, stuff: Stuff): void {
  const { size } = scene;
  const scale = size / 1_000;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const index = y * size + x;
      const alpha = paint.alpha[index]!;
      if (alpha === 0) continue;
      // Wool may be as grey as steel.
      const metal = stuff === "knit" ? 0 : metalOf(paint, index);
      const mottle = metal > 0 ? 1 : 1 + texture(x / scale, y / scale, stuff);
      const blend = (from: Float32Array, colour: number): void => {
        from[index] = from[index]! * (1 - alpha) + colour * mottle * alpha;
      };
      blend(scene.red, paint.red[index]!);
      blend(scene.green, paint.green[index]!);
      blend(scene.blue, paint.blue[index]!);
      const worn = 1 + 0.3 * layered(x / scale / 60, y / scale / 60, 41, 3);
      scene.gloss[index] = alpha * (metal > 0 ? 0.9 : making.gloss * worn);
      scene.metal[index] = alpha * metal;
    }
  }
}

/** How much lighter or darker a stuff is from point to point. */
function texture(x: number, y: number, stuff: Stuff): number {
  const fine = grain(Math.floor(x), Math.floor(y), 3);
  switch (stuff) {
    case "knit":
      return 0.1 * fine + 0.1 * layered(x / 6, y / 6, 7, 3);
    case "canvas":
    case "rope":
      return 0.07 * Math.sin(x * 1.9) * Math.sin(y * 1.9) + 0.06 * fine + 0.06 * layered(x / 40, y / 40, 8, 4);
    case "wood":
      return 0.16 * layered(x / 130, y / 5, 9, 4);
    case "leather":
      return 0.05 * fine + 0.1 * layered(x / 22, y / 22, 10, 4);
    case "oilskin":
      return 0.1 * layered(x / 60, y / 60, 12, 4);
    case "paper":
      return 0.03 * fine + 0.03 * layered(x / 30, y / 30, 15, 4);
    default:
      return 0.03 * layered(x / 50, y / 50, 16, 3);
  }
}

/** Brass and steel are known by their colours in the drawings. */
function metalOf(paint: Raster, index: number): number {
  return metals.some(
    ([red, green, blue]) =>
      Math.abs(paint.red[index]! - red) + Math.abs(paint.green[index]! - green) + Math.abs(paint.blue[index]! - blue) <
      0.03,
  )
    ? 1
    : 0;
}

/** Linear red, green and blue. */
const metals: readonly (readonly [number, number, number])[] = [
  [0.584, 0.319, 0.042],
  [0.392, 0.205, 0.021],
  [0.485, 0.565, 0.604],
  [0.254, 0.314, 0.352],
];
