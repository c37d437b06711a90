import { isWithinDates } from "../pricing/discount-rules.ts";
import type { Translations } from "./product.ts";

/**
 * An offer of several products. A bundle is live if it is published, the current date is within its dates, and all its
 * products are published.
 */
export interface Bundle {
  readonly kind: "bundle";
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly title: string;
  readonly type: "box_builder" | "frequently_bought_together";
  /** Handles of the bundle's products. */
  readonly products: readonly string[];
  /** Start date in ISO 8601 format. */
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly published: boolean;
  readonly translations: Translations;
}

/** Returns whether a bundle is live.  @param now milliseconds since 1970 */
export function isBundleLive(bundle: Bundle, catalog: { product(handle: string): unknown }, now: number): boolean {
  return (
    bundle.published &&
    isWithinDates(bundle, now) &&
    bundle.products.every((handle) => catalog.product(handle) !== undefined)
  );
}
