// Made from openapi.yaml by `npm run client-types`: change it there.

/** Minor units of the shop's currency: cents of USD, whole yen, thousandths of KWD. */
export type Amount = number;

/** A collection, as lists have it. */
export type CollectionRecord = {
  readonly id: Id;
  readonly handle: string;
  readonly title: string;
  readonly description: string;
  readonly body_html: string;
  readonly image: {
    readonly src: string;
    readonly alt: string | null;
    readonly width: number | null;
    readonly height: number | null;
  } | null;
  readonly products_count: number;
};

/** As the catalogue has it: a number where it is written like one, else the text. */
export type Id = number | string;

/** A product with decimal prices, as lists have it. */
export type ListedProduct = RecordProductFields & {
  readonly tags: readonly string[];
  readonly variants: readonly (RecordVariantFields & {
    readonly featured_image: RecordImage | null;
  })[];
};

/** A picture with its place. */
export type Picture = {
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly aspect_ratio: number;
  readonly id: number;
  readonly src: string;
  readonly media_type: "image";
  readonly position: number;
};

/** A product as templates see it; prices in minor units. */
export type Product = {
  readonly id: Id;
  readonly title: string;
  readonly handle: string;
  readonly url: string;
  /** HTML. */
  readonly body: string;
  /** HTML. */
  readonly description: string;
  /** HTML. */
  readonly content: string;
  readonly vendor: string;
  readonly type: string;
  readonly product_type: string;
  readonly tags: readonly string[];
  readonly available: boolean;
  readonly price: Amount;
  readonly price_min: Amount;
  readonly price_max: Amount;
  readonly compare_at_price: Amount | null;
  readonly compare_at_price_min: Amount;
  readonly compare_at_price_max: Amount;
  readonly price_cents: Amount;
  readonly price_min_cents: Amount;
  readonly price_max_cents: Amount;
  readonly compare_at_price_cents: Amount | null;
  readonly compare_at_price_min_cents: Amount;
  readonly compare_at_price_max_cents: Amount;
  readonly price_varies: boolean;
  readonly compare_at_price_varies: boolean;
  readonly has_only_default_variant: boolean;
  readonly requires_customer: boolean;
  readonly image: string | null;
  /** Its address. */
  readonly featured_image: string | null;
  readonly created_at: string | null;
  readonly published_at: string | null;
  readonly updated_at: string | null;
  readonly variants: readonly Variant[];
  readonly options: readonly ProductOption[];
  /** Addresses. */
  readonly images: readonly string[];
  readonly media: readonly ProductMedia[];
  /** There are none. */
  readonly selling_plan_groups: readonly unknown[];
};

/** A picture among a product's media. */
export type ProductMedia = Picture & {
  readonly preview_image: Picture;
};

/** An option, as Size, and what there is of it. */
export type ProductOption = {
  readonly name: string;
  readonly position: number;
  readonly values: readonly string[];
};

/** Which quantities of a variant can be bought. */
export type QuantityRule = {
  readonly min: number;
  readonly max: number | null;
  readonly increment: number;
};

/** What goes with a product. */
export type Recommendations = {
  readonly intent: "related" | "complementary";
  readonly products: readonly Product[];
};

/** A picture, numbered by its place. */
export type RecordImage = {
  readonly id: number;
  readonly product_id: Id;
  readonly position: number;
  /** With the shop's origin. */
  readonly src: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly variant_ids: readonly Id[];
};

/** An option of a product. */
export type RecordOption = {
  readonly product_id: Id;
  readonly name: string;
  readonly position: number;
  readonly values: readonly string[];
};

/** What both kinds of records say of a product. */
export type RecordProductFields = {
  readonly id: Id;
  readonly title: string;
  readonly handle: string;
  readonly body_html: string;
  readonly vendor: string;
  readonly product_type: string;
  readonly created_at: string | null;
  readonly published_at: string | null;
  readonly updated_at: string | null;
  readonly options: readonly RecordOption[];
  readonly images: readonly RecordImage[];
};

/** What both kinds of records say of a variant. */
export type RecordVariantFields = {
  readonly id: Id;
  readonly title: string;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly available: boolean;
  readonly option1: string | null;
  readonly option2: string | null;
  readonly option3: string | null;
  readonly requires_shipping: boolean;
  readonly taxable: boolean;
  readonly inventory_management: string | null;
  readonly product_id: Id;
  /** A decimal: "19.99", "1999" in yen. */
  readonly price: string;
  readonly compare_at_price: string | null;
  readonly price_currency: string;
  readonly grams: number;
  readonly position: number;
};

/** A variant, as a product's page needs it. */
export type Variant = {
  readonly id: Id;
  readonly title: string;
  readonly options: readonly string[];
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly price: Amount;
  readonly compare_at_price: Amount | null;
  readonly price_cents: Amount;
  readonly compare_at_price_cents: Amount | null;
  readonly available: boolean;
  readonly requires_shipping: boolean;
  readonly taxable: boolean;
  /** Grams. */
  readonly weight: number;
  readonly url: string;
  readonly option1: string | null;
  readonly option2: string | null;
  readonly option3: string | null;
  /** With the product's title. */
  readonly name: string;
  readonly public_title: string | null;
  /** `shopify` where stock is tracked, as themes ask. */
  readonly inventory_management: string | null;
  readonly image: string | null;
  readonly featured_image: VariantPicture | null;
  readonly quantity_rule: QuantityRule;
  readonly featured_media: ProductMedia | null;
};

/** A variant's own picture. */
export type VariantPicture = {
  readonly id: number;
  readonly src: string;
  readonly position: number;
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly aspect_ratio: number;
};
