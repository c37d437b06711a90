import type { Seo, Translations } from "./product.ts";

export interface Page {
  readonly kind: "page";
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  /** HTML written by the merchant. */
  readonly content: string;
  readonly published: boolean;
  readonly seo?: Seo;
  readonly translations: Translations;
}
