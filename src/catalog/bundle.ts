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
