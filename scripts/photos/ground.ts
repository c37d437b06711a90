import { linear } from "./drawing.ts";
import { grain, layered, noise, smoothstep } from "./noise.ts";
import type { Ground, Scene } from "./scene.ts";

/** What things lie on. @param tint "#rrggbb" of its paint */
export function paintGround(scene: Scene, ground: Ground, tint: string): void {
  const { size } = scene;
  const scale = size / 1_000;
  const [red, green, blue] = linear(tint);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const index = y * size + x;
      const { up, shade, gloss } = kinds[ground](x / scale, y / scale);
      scene.height.values[index] = up * scale;
      scene.red[index] = red * shade;
      scene.green[index] = green * shade;
      scene.blue[index] = blue * shade;
      scene.gloss[index] = gloss;
    }
  }
}

interface Point {
  readonly up: number;
  readonly shade: number;
  readonly gloss: number;
}

const kinds: Readonly<Record<Ground, (x: number, y: number) => Point>> = {
  /** Painted planks; the grain comes through. */
  boards(x, y) {
    const wide = 205;
    const board = Math.floor((x + 60) / wide);
    const across = x + 60 - board * wide;
    const side = Math.min(across, wide - across);
    const gap = 1 - smoothstep(1.5, 5, side);
    const along = y + board * 377;
    const bent = x + 9 * noise(x / 90, along / 240, 21);
    const fibre = layered(bent / 9, along / 150, 22 + board, 4);
    const ring = layered(bent / 26, along / 500, 29 + board, 2);
    const worn = smoothstep(0.25, 0.7, layered(x / 60, along / 190, 37, 5));
    return {
      up: -6 * gap + 1.1 * fibre + 0.8 * smoothstep(0, 12, side),
      shade:
        (1 + 0.05 * noise(board * 3.7, 0.5, 23)) * (1 + 0.07 * fibre + 0.05 * ring - 0.13 * worn) * (1 - 0.6 * gap),
      gloss: 0.05 + 0.05 * fibre,
    };
  },
  linen(x, y) {
    const warp = Math.sin(x * 1.55 + 1.5 * noise(x / 40, y / 5, 31));
    const weft = Math.sin(y * 1.55 + 1.5 * noise(x / 5, y / 40, 32));
    const slub = layered(x / 60, y / 3, 33, 2) + layered(x / 3, y / 60, 34, 2);
    const crease = 1 - 2 * Math.abs(noise(x / 210 + 0.4 * noise(x / 150, y / 150, 35), y / 330, 36));
    return {
      up: 0.45 * (warp * weft) + 0.5 * slub + 5 * crease,
      shade: 1 + 0.05 * warp * weft + 0.06 * slub + 0.03 * grain(Math.floor(x), Math.floor(y), 38),
      gloss: 0,
    };
  },
  plaster(x, y) {
    const broad = layered(x / 190, y / 190, 45, 5);
    const fine = layered(x / 14, y / 14, 46, 4);
    return { up: 1.6 * broad + 0.7 * fine, shade: 1 + 0.08 * broad + 0.04 * fine, gloss: 0.03 };
  },
};
