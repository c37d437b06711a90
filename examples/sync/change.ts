import { setTimeout } from "node:timers/promises";

/** Lines for one of Vitrine's endpoints, translated from an event of another shop system. */
export interface Change {
  readonly path: "/admin/catalog" | "/admin/stock";
  readonly lines: readonly object[];
}

export interface Store {
  /** Origin of the store, such as "https://shop.example", without a trailing slash. */
  readonly origin: string;
  /** Token created by `vitrine token create --scopes catalog:write,stock:write`. */
  readonly token: string;
}

/**
 * Sends changes, and retries while the store is busy or unavailable. The store applies each key only once.
 * @param key identifier of the event, such as the other system's delivery id
 * @throws Error that describes an invalid line
 */
export async function sendChanges(store: Store, changes: readonly Change[], key: string): Promise<void> {
  for (const [index, change] of changes.entries())
    if (change.lines.length > 0) await sendChange(store, change, `${key}-${index}`);
}

const MAX_TRIES = 8;

async function sendChange({ origin, token }: Store, { path, lines }: Change, key: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(origin + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/x-ndjson",
        "idempotency-key": key.replace(/[^!-~]/g, "").slice(0, 255),
      },
      body: lines.map((line) => JSON.stringify(line)).join("\n"),
    }).catch(() => undefined);
    if (answer?.ok) return;
    const isPassing = answer === undefined || answer.status >= 500 || answer.headers.has("retry-after");
    if (!isPassing || tries === MAX_TRIES)
      throw new Error(`${path} was answered ${answer?.status ?? "not at all"}: ${await answer?.text()}`);
    await setTimeout(1_000 * Number(answer?.headers.get("retry-after") ?? Math.min(2 ** tries, 30)));
  }
}

/**
 * Converts an amount to minor units: "19.99" becomes 1999.
 * @param decimals decimals of the currency, such as 2, or 0 for yen, or 3 for Kuwaiti dinars
 */
export function minorUnits(amount: string | number, decimals: number): number {
  return Math.round(Number(amount) * 10 ** decimals);
}

/** Returns an object with the field, or an empty one if the value is empty. */
export function optionalField<T>(name: string, value: T | null | undefined | ""): { readonly [name: string]: T } {
  return value === undefined || value === null || value === "" ? {} : { [name]: value };
}
