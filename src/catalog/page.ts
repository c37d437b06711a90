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
  /** Which alternate template of the theme its page has: "wide" for `page.wide`. */
  readonly templateSuffix?: string;
  readonly translations: Translations;
}
