import type { Shop } from "../../shop.ts";
import type { InlineCode } from "../../theme/files/inline-code.ts";
import type { ContentNeeds } from "../../theme/theme.ts";

/** Headers of every response. `page` is for HTML, `other` for the rest: opened in a tab, it may load nothing. */
export interface SecurityHeaders {
  readonly page: Readonly<Record<string, string>>;
  readonly other: Readonly<Record<string, string>>;
  /** Additional headers over https. */
  readonly secure: Readonly<Record<string, string>>;
}

export function securityHeaders(shop: Pick<Shop, "config" | "hooks">): SecurityHeaders {
  const common = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "same-origin-allow-popups",
  };
  return {
    page: { ...common, "content-security-policy": pagePolicy(shop, { scripts: false, styles: false }, true) },
    other: { ...common, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" },
    secure: { "strict-transport-security": "max-age=31536000" },
  };
}

/**
 * The content security policy of a page.
 * @param inline whether the theme's own files contain inline scripts and styles: such themes were made for another
 * platform, and load fonts, frames, and scripts of other hosts too
 * @param isSecure whether the page is sent over https
 * @param content features that the shop's content uses on this page, if the theme's files do not
 */
export function pagePolicy(
  { config, hooks }: Pick<Shop, "config" | "hooks">,
  inline: InlineCode,
  isSecure: boolean,
  content: ContentNeeds = { styles: [], frames: [] },
): string {
  // The redirects of a form count as its action: checkout hand-over leaves the store.
  const handoff = URL.parse(config.checkout.handoffUrl ?? "")?.origin;
  const elsewhere = [...(handoff === undefined ? [] : [handoff]), ...(hooks.payment?.origins ?? [])];
  // On a page over http, as during theme development, a URL without a scheme (`//host/a.js`) uses http.
  const otherHosts = isSecure ? "https:" : "http: https:";
  return [
    "default-src 'self'",
    ...(inline.scripts ? [`script-src 'self' 'unsafe-inline' 'unsafe-eval' ${otherHosts}`] : []),
    // Scripts set styles.
    ...(inline.scripts || inline.styles
      ? [
          `style-src 'self' 'unsafe-inline' ${otherHosts}`,
          `font-src 'self' data: ${otherHosts}`,
          `frame-src 'self' ${otherHosts}`,
          `connect-src 'self' ${otherHosts}`,
        ]
      : [
          ...(content.styles.length > 0 ? [["style-src 'self'", ...content.styles].join(" ")] : []),
          ...(content.frames.length > 0 ? [["frame-src 'self'", ...content.frames].join(" ")] : []),
        ]),
    `img-src 'self' data: ${otherHosts}`,
    `media-src 'self' ${otherHosts}`,
    "object-src 'none'",
    "base-uri 'self'",
    ["form-action 'self'", ...elsewhere].join(" "),
    "frame-ancestors 'self'",
  ].join("; ");
}
