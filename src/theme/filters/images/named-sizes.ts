/** Length of the longer side in pixels, by the size name that themes use. */
export const namedSizes: ReadonlyMap<string, number> = new Map([
  ["pico", 16],
  ["icon", 32],
  ["thumb", 50],
  ["small", 100],
  ["compact", 160],
  ["medium", 240],
  ["large", 480],
  ["grande", 600],
]);
