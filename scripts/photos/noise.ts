/** Smooth random fields, the same each time. */

/** A random number from 0 to 1 for a point of a grid. */
function at(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0xffffffff;
}

/** From -1 to 1; changes over a distance of 1. */
export function noise(x: number, y: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const u = ease(x - left);
  const v = ease(y - top);
  const above = at(left, top, seed) * (1 - u) + at(left + 1, top, seed) * u;
  const below = at(left, top + 1, seed) * (1 - u) + at(left + 1, top + 1, seed) * u;
  return (above * (1 - v) + below * v) * 2 - 1;
}

/** Noise with finer noise in it, from -1 to 1. */
export function layered(x: number, y: number, seed: number, layers: number): number {
  let sum = 0;
  let weight = 0;
  for (let layer = 0; layer < layers; layer += 1) {
    const scale = 2 ** layer;
    sum += noise(x * scale, y * scale, seed + layer) / scale;
    weight += 1 / scale;
  }
  return sum / weight;
}

/** White noise, from -1 to 1. */
export function grain(x: number, y: number, seed: number): number {
  return at(x, y, seed) * 2 - 1;
}

export function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

function ease(t: number): number {
  return t * t * (3 - 2 * t);
}
