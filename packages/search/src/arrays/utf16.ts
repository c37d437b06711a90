/** Decodes UTF-16 units. Unpaired surrogates are preserved, while `TextDecoder` would replace them. */
export function decodeUnits(units: Uint16Array): string {
  let text = "";
  for (let from = 0; from < units.length; from += unitsPerCall)
    text += String.fromCharCode.apply(null, units.subarray(from, from + unitsPerCall) as unknown as number[]);
  return text;
}

/** Number of arguments of one call. The stack size limits this number. */
const unitsPerCall = 8_192;

/**
 * Returns the bytes of an array as a Node `Buffer`, which writes long texts ten times as fast as a loop. Undefined
 * outside Node.
 */
export function writableBytes(units: Uint16Array<ArrayBuffer>): Buffer | undefined {
  return typeof Buffer === "undefined" ? undefined : Buffer.from(units.buffer);
}
