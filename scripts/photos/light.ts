import type { Field } from "./field.ts";
import { smoothstep } from "./noise.ts";
import type { Scene } from "./scene.ts";

/** A window and a room. Angles in radians; directions as x to the right and y downwards in the picture. */
export interface Light {
  /** Where the window is. */
  readonly azimuth: number;
  readonly elevation: number;
  /** Half of what the window measures. */
  readonly softness: number;
  /** How bright the window is, and the room. */
  readonly key: number;
  readonly fill: number;
}

/** What reaches each point, before the colour of the point itself. */
export interface Lighting {
  readonly key: Float32Array;
  readonly open: Float32Array;
  readonly normalX: Float32Array;
  readonly normalY: Float32Array;
}

/** How light falls on a relief: how high the horizon stands in each direction says what of window and room is seen. */
export function lightRelief(height: Field, light: Light): Lighting {
  const { size, values } = height;
  const count = size * size;
  const key = new Float32Array(count);
  const open = new Float32Array(count);
  const normalX = new Float32Array(count);
  const normalY = new Float32Array(count);
  const slopes = new Float32Array(count);
  for (let n = 0; n < directions; n += 1) {
    riseToHorizon(height, ((n + 0.5) / directions) * 2 * Math.PI, slopes);
    // The share of the sky over the horizon, for light that falls evenly: 1 - sin² of its height.
    for (let index = 0; index < count; index += 1) {
      const slope = slopes[index]!;
      open[index] = open[index]! + 1 / ((1 + slope * slope) * directions);
    }
  }
  for (const part of parts) {
    riseToHorizon(height, light.azimuth + part * light.softness, slopes);
    for (let index = 0; index < count; index += 1) {
      const above = light.elevation - Math.atan(slopes[index]!);
      key[index] = key[index]! + smoothstep(-light.softness, light.softness, above) / parts.length;
    }
  }
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const index = y * size + x;
      const left = values[x === 0 ? index : index - 1]!;
      const right = values[x === size - 1 ? index : index + 1]!;
      const above = values[y === 0 ? index : index - size]!;
      const below = values[y === size - 1 ? index : index + size]!;
      const slopeX = (left - right) / 2;
      const slopeY = (above - below) / 2;
      const length = Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY);
      normalX[index] = slopeX / length;
      normalY[index] = slopeY / length;
    }
  }
  return { key, open, normalX, normalY };
}

const directions = 8;
/** Of the window, from one side to the other. */
const parts = [-0.8, 0, 0.8];
/** Points of a thousand at which the horizon is looked for. */
const reaches = [1, 2, 4, 7, 12, 19, 29, 44, 66, 100];

/** Slope up to the horizon in one direction, for each point. */
function riseToHorizon({ size, values }: Field, angle: number, slopes: Float32Array): void {
  slopes.fill(0);
  for (const reach of reaches) {
    const right = Math.round((Math.cos(angle) * reach * size) / 1_000);
    const down = Math.round((Math.sin(angle) * reach * size) / 1_000);
    const distance = Math.hypot(right, down);
    if (distance === 0) continue;
    const offset = down * size + right;
    for (let row = Math.max(0, -down); row < size - Math.max(0, down); row += 1) {
      const end = row * size + size - Math.max(0, right);
      for (let index = row * size + Math.max(0, -right); index < end; index += 1) {
        const slope = (values[index + offset]! - values[index]!) / distance;
        if (slope > slopes[index]!) slopes[index] = slope;
      }
    }
  }
}

/** What a camera above sees at each point: linear red, green and blue, one after another. */
export function shade(scene: Scene, lighting: Lighting, light: Light): Float32Array {
  const { size } = scene;
  const result = new Float32Array(size * size * 3);
  const flat = Math.cos(light.elevation);
  const lightX = Math.cos(light.azimuth) * flat;
  const lightY = Math.sin(light.azimuth) * flat;
  const lightZ = Math.sin(light.elevation);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const index = y * size + x;
      const normalX = lighting.normalX[index]!;
      const normalY = lighting.normalY[index]!;
      const normalZ = Math.sqrt(Math.max(0, 1 - normalX * normalX - normalY * normalY));
      const facing = Math.max(0, normalX * lightX + normalY * lightY + normalZ * lightZ) / lightZ;
      // The window is nearer to one corner.
      const away = 1 + 0.22 * ((x / size - 0.5) * lightX + (y / size - 0.5) * lightY) * 2;
      const key = light.key * facing * lighting.key[index]! * away;
      const open = lighting.open[index]!;
      const metal = scene.metal[index]!;
      const gloss = scene.gloss[index]!;
      // What the camera sees mirrored: it looks straight down.
      const seenX = 2 * normalZ * normalX;
      const seenY = 2 * normalZ * normalY;
      const seenZ = 2 * normalZ * normalZ - 1;
      const mirrored = room(seenX, seenY, seenZ, lightX, lightY, lightZ, gloss) * open;
      const edge = 0.04 + 0.96 * (1 - normalZ) ** 5;
      for (let channel = 0; channel < 3; channel += 1) {
        const albedo = (channel === 0 ? scene.red : channel === 1 ? scene.green : scene.blue)[index]!;
        // Light that bounces between pale things fills their hollows.
        const bounced = open / (1 - albedo * 0.75 * (1 - open));
        const arriving = key * warm[channel]! + light.fill * bounced * cool[channel]!;
        const matt = albedo * arriving * (1 - metal);
        const shine = mirrored * (metal * Math.min(1, albedo * 1.7) + (1 - metal) * edge * 1.6) * gloss;
        result[index * 3 + channel] = matt + shine;
      }
    }
  }
  return result;
}

const warm = [1.06, 1, 0.9];
const cool = [0.94, 1, 1.1];

/** How bright the room is in a direction: a window with a crossbar, a pale ceiling, dark walls. */
function room(x: number, y: number, z: number, toX: number, toY: number, toZ: number, gloss: number): number {
  const near = x * toX + y * toY + z * toZ;
  const blur = 0.02 + 0.3 * (1 - gloss);
  const size = 0.93;
  const window = smoothstep(size - blur, size + blur, near);
  const across = (x * toY - y * toX) / Math.hypot(toX, toY);
  const bar = gloss > 0.5 ? smoothstep(0.012, 0.03, Math.abs(across)) : 1;
  return 5 * window * bar + 0.35 + 0.45 * smoothstep(-0.2, 1, z);
}
