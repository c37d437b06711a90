import { createHash } from "node:crypto";
import type { Shop } from "../../shop.ts";
import type { InlineCode } from "../../theme/files/inline-code.ts";
import type { ContentPolicyExceptions } from "../../theme/theme.ts";

/**
 * Security headers by type of response. `pageHeaders` are for HTML. `nonHtmlHeaders` are for all other content types:
 * their content security policy blocks scripts and all loads if a browser shows the file in a tab.
 */
export interface SecurityHeaders {
  readonly pageHeaders: Readonly<Record<string, string>>;
  readonly nonHtmlHeaders: Readonly<Record<string, string>>;
  /** Additional headers for responses over https. */
  readonly httpsHeaders: Readonly<Record<string, string>>;
}

export function createSecurityHeaders(shop: Pick<Shop, "config" | "hooks">): SecurityHeaders {
  const commonHeaders = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "same-origin-allow-popups",
  };
  return {
    pageHeaders: {
      ...commonHeaders,
      "content-security-policy": createCspHeader(shop, { hasScripts: false, hasStyles: false }, true),
    },
    nonHtmlHeaders: { ...commonHeaders, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" },
    httpsHeaders: { "strict-transport-security": "max-age=31536000" },
  };
}

/**
 * Returns the content security policy of a page.
 * @param inlineCode whether the theme contains inline scripts and styles; such a theme may also load files from other hosts
 * @param isSecure whether the page is sent over https
 * @param content inline styles and frames in the shop's content on this page
 */
export function createCspHeader(
  { config, hooks }: Pick<Shop, "config" | "hooks">,
  inlineCode: InlineCode,
  isSecure: boolean,
  content: ContentPolicyExceptions = { styles: [], frames: [] },
): string {
  // `form-action` also applies to redirects, and the checkout form may redirect to another site.
  const handoffOrigin = URL.parse(config.checkout.handoffUrl ?? "")?.origin;
  const formOrigins = [...(handoffOrigin === undefined ? [] : [handoffOrigin]), ...(hooks.payment?.origins ?? [])];
  // A page over http, for example during theme development, loads URLs without a scheme (`//host/a.js`) over http.
  const otherHosts = isSecure ? "https:" : "http: https:";
  return [
    "default-src 'self'",
    ...(inlineCode.hasScripts ? [`script-src 'self' 'unsafe-inline' 'unsafe-eval' ${otherHosts}`] : []),
    // If inline scripts are allowed, inline styles must be allowed too, because scripts set them.
    ...(inlineCode.hasScripts || inlineCode.hasStyles
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
    ["form-action 'self'", ...formOrigins].join(" "),
    "frame-ancestors 'self'",
  ].join("; ");
}

/** Returns the content security policy of a page that loads nothing and has one inline style sheet. */
export function createStylePolicy(style: string): string {
  const digest = createHash("sha256").update(style).digest("base64");
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`;
}

/** Headers of a page whose URL is a secret, such as the page of an order. */
export const secretUrlHeaders = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex" } as const;
