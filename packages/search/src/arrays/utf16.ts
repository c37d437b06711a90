/** Decodes UTF-16 units. Unpaired surrogates are preserved, while `TextDecoder` would replace them. */
export function decodeUtf16(units: Uint16Array): string {
  let text = "";
  for (let from = 0; from < units.length; from += unitsPerCall)
    text += String.fromCharCode.apply(null, units.subarray(from, from + unitsPerCall) as unknown as number[]);
  return text;
}

/** Maximum number of UTF-16 units per call of `String.fromCharCode`. Each unit is an argument on the stack. */
const unitsPerCall = 8_192;

/**
 * Returns a Node `Buffer` over the memory of an array. It writes long texts ten times as fast as a loop. Returns
 * undefined outside Node.
 */
export function viewAsBytes(units: Uint16Array<ArrayBuffer>): Buffer | undefined {
  return typeof Buffer === "undefined" ? undefined : Buffer.from(units.buffer);
}
