import type { Translations } from "./product.ts";

/** An offer of several products. Live: published, within its dates, and every product of it published. */
export interface Bundle {
  readonly kind: "bundle";
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly title: string;
  readonly type: "box_builder" | "frequently_bought_together";
  /** Handles. */
  readonly products: readonly string[];
  /** ISO 8601. */
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly published: boolean;
  readonly translations: Translations;
}

/** True while a bundle is offered. @param now milliseconds since 1970 */
export function isBundleLive(bundle: Bundle, catalog: { product(handle: string): unknown }, now: number): boolean {
  if (!bundle.published) return false;
  if (bundle.startsAt !== undefined && now < Date.parse(bundle.startsAt)) return false;
  if (bundle.endsAt !== undefined && now >= Date.parse(bundle.endsAt)) return false;
  return bundle.products.every((handle) => catalog.product(handle) !== undefined);
}
