/** Decodes UTF-16 units; keeps unpaired surrogates, which `TextDecoder` would replace. */
export function decodeUnits(units: Uint16Array): string {
  let text = "";
  for (let from = 0; from < units.length; from += unitsAtOnce)
    text += String.fromCharCode.apply(null, units.subarray(from, from + unitsAtOnce) as unknown as number[]);
  return text;
}

/** Arguments of one call; the stack limits their number. */
const unitsAtOnce = 8_192;

/** The bytes of an array, to write long texts into it ten times as fast as a loop does. Undefined outside Node. */
export function writableBytes(units: Uint16Array<ArrayBuffer>): Buffer | undefined {
  return typeof Buffer === "undefined" ? undefined : Buffer.from(units.buffer);
}
