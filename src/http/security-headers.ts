import type { Config } from "../config.ts";

/** Headers that every answer has. `page` is for HTML, `other` for the rest: opened by itself it may load nothing. */
export interface SecurityHeaders {
  readonly page: Readonly<Record<string, string>>;
  readonly other: Readonly<Record<string, string>>;
  /** On https alone, in addition. */
  readonly secure: Readonly<Record<string, string>>;
}

export function securityHeaders({ checkout }: Pick<Config, "checkout">): SecurityHeaders {
  // A form's redirects count as its action: the checkout's hand-over leaves the store.
  const handoff = URL.parse(checkout.handoffUrl ?? "")?.origin;
  const page = [
    "default-src 'self'",
    "img-src 'self' data: https:",
    "media-src 'self' https:",
    "object-src 'none'",
    "base-uri 'self'",
    `form-action 'self'${handoff === undefined ? "" : ` ${handoff}`}`,
    "frame-ancestors 'self'",
  ].join("; ");
  const common = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "same-origin-allow-popups",
  };
  return {
    page: { ...common, "content-security-policy": page },
    other: { ...common, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" },
    secure: { "strict-transport-security": "max-age=31536000" },
  };
}
