/** A store's settings, complete and checked. @see docs/merchants.md */
export interface Config {
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly locales: { readonly default: string; readonly others: readonly string[] };
  /** "https://shop.example"; absent: the request's own scheme and Host. */
  readonly origin?: string;
  readonly trustProxy: boolean | readonly string[];
  readonly cart: { readonly maxLines: number; readonly maxQuantity: number; readonly cookieDays: number };
  readonly search: { readonly synonyms: readonly (readonly string[])[]; readonly typoTolerance: boolean };
  readonly checkout: { readonly handoffUrl?: string };
  readonly compat: { readonly forms: boolean; readonly sectionClass?: string };
  /** Menus of the theme: handle -> links. `translations` maps a locale to a title. */
  readonly menus: Readonly<Record<string, readonly MenuLink[]>>;
}

export interface MenuLink {
  readonly title: string;
  readonly url: string;
  readonly links: readonly MenuLink[];
  readonly translations: Readonly<Record<string, string>>;
}
