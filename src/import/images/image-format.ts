/** The format of a picture as its first bytes tell, whatever its name and its sender say: the ending of its file.
 *  @param bytes twelve or more  @returns undefined for everything that is none, drawings in SVG among it */
export function imageFormat(bytes: Uint8Array): "jpg" | "png" | "gif" | "webp" | "avif" | undefined {
  const text = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 3) === "\u00ff\u00d8\u00ff") return "jpg";
  if (text(0, 8) === "\u0089PNG\r\n\u001a\n") return "png";
  if (/^GIF8[79]a$/.test(text(0, 6))) return "gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  return text(4, 8) === "ftyp" && /^avi[fs]$/.test(text(8, 12)) ? "avif" : undefined;
}

/** Bytes that `pictureFormat` looks at. */
export const FORMAT_BYTES = 12;
