import decodeQR from "qr/decode.js";

/** Reads the QR code of a page, with eight pixels for each of its squares. */
export function scanCode(html: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(html)?.[1]);
  const scale = 8;
  const width = size * scale;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1/g))
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < scale; column += 1) {
        const at = ((Number(y) * scale + row) * width + Number(x) * scale + column) * 4;
        data.fill(0, at, at + 3);
      }
  return decodeQR({ width, height: width, data });
}
