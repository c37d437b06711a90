import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject } from "node:crypto";
import type { JWK } from "jose";

/** Signs documents that other parties verify with a public key.  @see RFC 8037 */
export interface JwsSigner {
  /** Signs a document.  @param issuedAt time of signing in milliseconds since 1970  @returns a compact JWS */
  sign(
    document: Readonly<Record<string, unknown>>,
    claims: { readonly issuer: string; readonly subject: string; readonly issuedAt: number },
  ): Promise<string>;
  /** Returns one public key for each secret. The first key verifies new signatures. */
  publicKeys(): Promise<{ readonly keys: readonly JWK[] }>;
}

/**
 * Creates a signer. Its Ed25519 keys are derived from the shop's secrets, so that no additional key must be stored or
 * rotated.
 * @param secrets the shop's secrets as bytes; the first one signs
 */
export function createJwsSigner(secrets: readonly Uint8Array[]): JwsSigner {
  const keys = secrets.map(deriveKey);
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error("there is no secret to make a key of");
  return {
    async sign(document, { issuer, subject, issuedAt }) {
      // Imported dynamically, because the library takes 40 ms in each thread.
      const { SignJWT } = await import("jose");
      return new SignJWT({ ...document })
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: signingKey.id })
        .setIssuer(issuer)
        .setSubject(subject)
        .setIssuedAt(Math.floor(issuedAt / 1_000))
        .sign(signingKey.privateKey);
    },
    async publicKeys() {
      const { exportJWK } = await import("jose");
      const exportedKeys = keys.map(async ({ id, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid: id,
        alg: "EdDSA",
        use: "sig",
      }));
      return { keys: await Promise.all(exportedKeys) };
    },
  };
}

interface Key {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Prefix of an Ed25519 key in PKCS #8, before its 32 bytes.  @see RFC 8410, 7 */
const PKCS8_HEADER = Buffer.from("302e020100300506032b657004220420", "hex");

function deriveKey(bytes: Uint8Array): Key {
  const seed = Buffer.from(hkdfSync("sha256", bytes, "vitrine", "sign documents", 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey);
  const id = hash("sha256", publicKey.export({ format: "der", type: "spki" }), "base64url").slice(0, 16);
  return { id, privateKey, publicKey };
}
