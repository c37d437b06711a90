import { hash } from "node:crypto";
import { Secret, TOTP } from "otpauth";

/** Number of digits of a code, and milliseconds for which it is valid. All authenticator apps support these values. */
const CODE_DIGITS = 6;
const TOTP_PERIOD_MS = 30_000;
/** Length of a secret in bytes, equal to the length of a SHA-1 hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** Number of recovery codes, and length of each code in characters. */
const RECOVERY_CODE_COUNT = 8;
const RECOVERY_CODE_LENGTH = 16;

/** Creates a secret in base32.  @param newId returns at least 128 random bits */
export function createTotpSecret(newId: () => string): string {
  const bytes = hash("sha256", newId() + newId(), "buffer").subarray(0, SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/**
 * Creates recovery codes, each of which can replace a code of the authenticator app once.
 * @param newId returns at least 128 random bits
 */
export function createRecoveryCodes(newId: () => string): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    createTotpSecret(newId).slice(0, RECOVERY_CODE_LENGTH).toLowerCase(),
  );
}

/** Returns the hash under which a recovery code is stored. Spaces and case do not matter. */
export function hashRecoveryCode(code: string): string {
  return hash("sha256", code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""), "hex");
}

/** Returns the URL that a QR code passes to an authenticator app.  @param account name of the token */
export function formatTotpUrl(
  secret: string,
  { issuer, account }: { readonly issuer: string; readonly account: string },
): string {
  return createTotp(secret, { issuer, label: account }).toString();
}

/**
 * Finds the time step of a code. A code of the step before or after is accepted, because clocks differ.
 * @param secret base32
 * @param now milliseconds since 1970
 * @returns undefined for a wrong code
 * @see RFC 6238
 */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const offset = createTotp(secret).validate({ token, timestamp: now, window: 1 });
  return offset === null ? undefined : Math.floor(now / TOTP_PERIOD_MS) + offset;
}

function createTotp(secret: string, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: CODE_DIGITS,
    period: TOTP_PERIOD_MS / 1_000,
  });
}
