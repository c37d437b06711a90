import type { Keyring } from "./keyring.ts";

/** Purpose for which preview tokens are signed. A token that was signed for another purpose is rejected. */
export const PREVIEW_PURPOSE = "theme preview";

/** Query parameter with the token of a preview link. Without a value, it ends the preview. */
export const PREVIEW_QUERY_PARAMETER = "preview_theme";

/**
 * Returns the path of a link that shows a theme to the visitors who open it.
 * @param expiryTime milliseconds since 1970
 */
export function getPreviewPath(keyring: Keyring, themeName: string, expiryTime: number): string {
  const token = keyring.sign(PREVIEW_PURPOSE, Buffer.from(themeName).toString("base64url"), expiryTime);
  return `/?${PREVIEW_QUERY_PARAMETER}=${token}`;
}

/** Returns the name of the theme in the value of a verified token. */
export function parsePreviewName(value: string): string {
  return Buffer.from(value, "base64url").toString();
}
