import type { Field } from "./field.ts";
import { grain } from "./noise.ts";

/** Where a camera stands. Lengths in widths of the scene, angles in radians. */
export interface View {
  /** The point that is sharp, from 0 to 1. */
  readonly x: number;
  readonly y: number;
  /** How much of the scene the picture is wide. */
  readonly width: number;
  /** 0: straight down. */
  readonly tilt: number;
  /** Which way it looks: 0 is upwards in the scene. */
  readonly turn: number;
  /** How wide the lens is open. */
  readonly open: number;
}

/** Takes a picture: bytes of red, green and blue. @param light linear colours of each point of the scene */
export function photograph(height: Field, light: Float32Array, view: View, pixels: number): Buffer {
  const { size, values } = height;
  const lens = lensPoints(view.open === 0 ? 3 : 12);
  const result = Buffer.alloc(pixels * pixels * 3);
  const sin = Math.sin(view.tilt);
  const cos = Math.cos(view.tilt);
  const turnX = Math.cos(view.turn);
  const turnY = Math.sin(view.turn);
  const distance = 2.6 * view.width;
  let top = 0;
  for (const value of values) if (value > top) top = value;
  top = top / size + 0.001;
  // A step is so long that a ray moves on by some eight points of the scene.
  const steps = Math.max(2, Math.ceil(((top + 0.006) * Math.tan(view.tilt + 0.2) * size) / 8));
  const last = size - 1.001;
  const inside = (at: number): number => {
    if (at >= 0 && at <= last) return at;
    // Beyond the edge the ground goes on as in a mirror.
    const within = Math.abs(at) % (2 * last);
    return within > last ? 2 * last - within : within;
  };
  for (let row = 0; row < pixels; row += 1) {
    for (let column = 0; column < pixels; column += 1) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let n = 0; n < lens.length; n += 2) {
        // Where the ray of this pixel crosses the plane that is sharp, about the point that is looked at.
        const right = ((column + jitter[(n / 2) % 8]!) / pixels - 0.5) * view.width;
        const up = (0.5 - (row + jitter[((n / 2) * 3 + 1) % 8]!) / pixels) * view.width;
        // From the lens: right, ahead over the ground, height.
        const lensRight = lens[n]! * view.open;
        const lensUp = lens[n + 1]! * view.open;
        const fromAhead = -sin * distance + cos * lensUp;
        const fromHigh = cos * distance + sin * lensUp;
        const goRight = right - lensRight;
        const goAhead = cos * up - fromAhead;
        const goHigh = sin * up - fromHigh;
        // In points of the scene.
        const startX = (view.x + lensRight * turnX + fromAhead * turnY) * size;
        const startY = (view.y + lensRight * turnY - fromAhead * turnX) * size;
        const goX = (goRight * turnX + goAhead * turnY) * size;
        const goY = (goRight * turnY - goAhead * turnX) * size;
        let t = (top - fromHigh) / goHigh;
        const step = ((-0.006 - fromHigh) / goHigh - t) / steps;
        let before = t;
        for (let taken = 0; taken < steps; taken += 1) {
          const place = Math.floor(inside(startY + goY * t)) * size + Math.floor(inside(startX + goX * t));
          if (values[place]! >= (fromHigh + goHigh * t) * size) break;
          before = t;
          t += step;
        }
        for (let halving = 0; halving < 3; halving += 1) {
          const middle = (before + t) / 2;
          const place = Math.floor(inside(startY + goY * middle)) * size + Math.floor(inside(startX + goX * middle));
          if (values[place]! >= (fromHigh + goHigh * middle) * size) t = middle;
          else before = middle;
        }
        const x = inside(startX + goX * t);
        const y = inside(startY + goY * t);
        const left = Math.floor(x);
        const above = Math.floor(y);
        const u = x - left;
        const v = y - above;
        const at = (above * size + left) * 3;
        const below = at + size * 3;
        const a = (1 - u) * (1 - v);
        const b = u * (1 - v);
        const c = (1 - u) * v;
        const d = u * v;
        red += light[at]! * a + light[at + 3]! * b + light[below]! * c + light[below + 3]! * d;
        green += light[at + 1]! * a + light[at + 4]! * b + light[below + 1]! * c + light[below + 4]! * d;
        blue += light[at + 2]! * a + light[at + 5]! * b + light[below + 2]! * c + light[below + 5]! * d;
      }
      // Darker corners, and some grain.
      const x = column / pixels - 0.5;
      const y = row / pixels - 0.5;
      const exposure = ((1 - 0.4 * (x * x + y * y)) * (1 + 0.012 * grain(column, row, 77)) * 2) / lens.length;
      const at = (row * pixels + column) * 3;
      result[at] = film(red * exposure);
      result[at + 1] = film(green * exposure);
      result[at + 2] = film(blue * exposure);
    }
  }
  return result;
}

/** Light to a byte: what is bright is held back as by a film, with the gamma of a screen. */
function film(light: number): number {
  return developed[Math.min(developed.length - 1, Math.round(light * STEPS))]!;
}

/** Of light from 0 to 1. */
const STEPS = 8_192;
const developed = Uint8Array.from({ length: STEPS * 3 }, (_, step) => {
  const light = step / STEPS;
  const curved = (light * (2.51 * light + 0.03)) / (light * (2.43 * light + 0.59) + 0.14);
  const mixed = 0.6 * Math.min(1, light) + 0.4 * Math.min(1, curved * 0.92);
  return Math.round(255 * Math.min(1, mixed) ** (1 / 2.2));
});

/** x and y of points of a disc, even over it. */
function lensPoints(count: number): Float64Array {
  const points = new Float64Array(count * 2);
  for (let n = 0; n < count; n += 1) {
    const radius = Math.sqrt((n + 0.5) / count);
    points[n * 2] = radius * Math.cos(n * 2.399963);
    points[n * 2 + 1] = radius * Math.sin(n * 2.399963);
  }
  return points;
}

/** Within a pixel. */
const jitter = [0.06, 0.56, 0.31, 0.81, 0.19, 0.69, 0.44, 0.94];
