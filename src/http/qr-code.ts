import encodeQR from "qr";
import { type Markup, markup } from "./console/markup.ts";

/**
 * Renders a QR code as inline SVG.
 * @param label text for screen readers
 * @param attributes other attributes of the `<svg>` element, after a space
 */
export function renderQrCode(text: string, label: string, attributes?: Markup): Markup {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const squarePaths = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const size = rows.length;
  return markup`<svg${attributes} role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${squarePaths.join("")}"/></svg>`;
}
