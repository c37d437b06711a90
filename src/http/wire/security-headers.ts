import type { Shop } from "../../shop.ts";
import type { InlineCode } from "../../theme/files/inline-code.ts";
import type { ContentNeeds } from "../../theme/theme.ts";

/** Headers that every answer has. `page` is for HTML, `other` for the rest: opened by itself it may load nothing. */
export interface SecurityHeaders {
  readonly page: Readonly<Record<string, string>>;
  readonly other: Readonly<Record<string, string>>;
  /** On https alone, in addition. */
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

/** What a page may load and run. @param inline whether the theme's own files hold scripts and styles in their pages: such themes were made
 *  elsewhere, and bring fonts, frames and scripts of other hosts too @param isSecure whether the page goes over https
 *  @param content what the shop's texts bring into this page, where the theme's files hold neither */
export function pagePolicy(
  { config, hooks }: Pick<Shop, "config" | "hooks">,
  inline: InlineCode,
  isSecure: boolean,
  content: ContentNeeds = { styles: [], frames: [] },
): string {
  // A form's redirects count as its action: the checkout's hand-over leaves the store.
  const handoff = URL.parse(config.checkout.handoffUrl ?? "")?.origin;
  const elsewhere = [...(handoff === undefined ? [] : [handoff]), ...(hooks.payment?.origins ?? [])];
  // On a page that goes over http, as while a theme is made, an address without a scheme (`//host/a.js`) is one over http.
  const others = isSecure ? "https:" : "http: https:";
  return [
    "default-src 'self'",
    ...(inline.scripts ? [`script-src 'self' 'unsafe-inline' 'unsafe-eval' ${others}`] : []),
    // Scripts set styles.
    ...(inline.scripts || inline.styles
      ? [
          `style-src 'self' 'unsafe-inline' ${others}`,
          `font-src 'self' data: ${others}`,
          `frame-src 'self' ${others}`,
          `connect-src 'self' ${others}`,
        ]
      : [
          ...(content.styles.length > 0 ? [["style-src 'self'", ...content.styles].join(" ")] : []),
          ...(content.frames.length > 0 ? [["frame-src 'self'", ...content.frames].join(" ")] : []),
        ]),
    `img-src 'self' data: ${others}`,
    `media-src 'self' ${others}`,
    "object-src 'none'",
    "base-uri 'self'",
    ["form-action 'self'", ...elsewhere].join(" "),
    "frame-ancestors 'self'",
  ].join("; ");
}
