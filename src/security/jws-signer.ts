import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject } from "node:crypto";
import { exportJWK, type JWK, SignJWT } from "jose";

/** Signs documents that other parties verify with a public key.  @see RFC 8037 */
export interface JwsSigner {
  /** Signs a document.  @param issuedAt time of signing in milliseconds since 1970  @returns a compact JWS */
  sign(
    document: Readonly<Record<string, unknown>>,
    claims: { readonly issuer: string; readonly subject: string; readonly issuedAt: number },
  ): Promise<string>;
  /** Returns the public keys of all secrets. The first key signs. */
  published(): Promise<{ readonly keys: readonly JWK[] }>;
}

/**
 * Creates a signer with Ed25519 keys that are derived from the shop's secrets, so that no additional key must be stored
 * or rotated.
 * @param secrets secrets of the keyring as bytes; the first one signs
 */
export function createJwsSigner(secrets: readonly Uint8Array[]): JwsSigner {
  const keys = secrets.map(keyOf);
  const [first] = keys;
  if (first === undefined) throw new Error("there is no secret to make a key of");
  return {
    sign: (document, { issuer, subject, issuedAt }) =>
      new SignJWT({ ...document })
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: first.id })
        .setIssuer(issuer)
        .setSubject(subject)
        .setIssuedAt(Math.floor(issuedAt / 1_000))
        .sign(first.secret),
    async published() {
      const shown = keys.map(async ({ id, open }) => ({
        ...(await exportJWK(open)),
        kid: id,
        alg: "EdDSA",
        use: "sig",
      }));
      return { keys: await Promise.all(shown) };
    },
  };
}

interface Key {
  readonly id: string;
  readonly secret: KeyObject;
  readonly open: KeyObject;
}

/** Prefix of an Ed25519 key in PKCS #8, before its 32 bytes.  @see RFC 8410, 7 */
const PKCS8_HEADER = Buffer.from("302e020100300506032b657004220420", "hex");

function keyOf(bytes: Uint8Array): Key {
  const seed = Buffer.from(hkdfSync("sha256", bytes, "vitrine", "sign documents", 32));
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: "der", type: "pkcs8" });
  const open = createPublicKey(secret);
  const id = hash("sha256", open.export({ format: "der", type: "spki" }), "base64url").slice(0, 16);
  return { id, secret, open };
}
