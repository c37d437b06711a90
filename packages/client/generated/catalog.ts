// Generated from openapi.yaml by `npm run client-types`.

/** Minor units of the shop's currency: cents of USD, yen, thousandths of KWD. */
export type Amount = number;

/** A collection in a list. */
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

/** The id as in the catalog: a number if it is written as one, otherwise a string. */
export type Id = number | string;

/** A product with decimal prices, as in lists. */
export type ListedProduct = RecordProductFields & {
  readonly tags: readonly string[];
  readonly variants: readonly (RecordVariantFields & {
    readonly featured_image: RecordImage | null;
  })[];
};

/** An image with its position. */
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

/** A product as in templates; prices are in minor units. */
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
  /** The URL. */
  readonly featured_image: string | null;
  readonly created_at: string | null;
  readonly published_at: string | null;
  readonly updated_at: string | null;
  readonly variants: readonly Variant[];
  readonly options: readonly ProductOption[];
  /** URLs. */
  readonly images: readonly string[];
  readonly media: readonly (ProductMedia | ProductVideo)[];
  readonly requires_selling_plan: false;
  /** Always empty. */
  readonly selling_plan_groups: readonly unknown[];
};

/** An image in the media of a product. */
export type ProductMedia = Picture & {
  readonly preview_image: Picture;
};

/** An option, such as Size, and its values. */
export type ProductOption = {
  readonly name: string;
  readonly position: number;
  readonly values: readonly string[];
};

/** A video or 3D model in the media of a product, after the images. `host` and `external_id` are for `external_video`, `sources` for the others. */
export type ProductVideo = {
  readonly id: number;
  readonly alt: string;
  readonly position: number;
  readonly media_type: "video" | "external_video" | "model";
  readonly aspect_ratio: number;
  /** `youtube` or `vimeo`. */
  readonly host: string | null;
  readonly external_id: string | null;
  readonly sources: readonly {
    readonly url: string;
    readonly format: string | null;
    readonly mime_type: string | null;
    readonly width: number | null;
    readonly height: number | null;
  }[];
  readonly preview_image: Picture | null;
};

/** The quantities of a variant that a cart accepts. */
export type QuantityRule = {
  readonly min: number;
  readonly max: number | null;
  readonly increment: number;
};

/** Recommended products. */
export type Recommendations = {
  readonly intent: "related" | "complementary";
  readonly products: readonly Product[];
};

/** An image, numbered by its position. */
export type RecordImage = {
  readonly id: number;
  readonly product_id: Id;
  readonly position: number;
  /** With the origin of the shop. */
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

/** Common fields of products. */
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

/** Common fields of variants. */
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

/** A variant of a product. */
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
  /** With the title of the product. */
  readonly name: string;
  readonly public_title: string | null;
  /** `shopify` if stock is tracked, as themes expect. */
  readonly inventory_management: string | null;
  readonly requires_selling_plan: false;
  /** Always empty. */
  readonly selling_plan_allocations: readonly unknown[];
  readonly image: string | null;
  readonly featured_image: VariantPicture | null;
  readonly quantity_rule: QuantityRule;
  readonly featured_media: ProductMedia | null;
};

/** The image of a variant. */
export type VariantPicture = {
  readonly id: number;
  readonly src: string;
  readonly position: number;
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly aspect_ratio: number;
  /** The variants that show the image; of a product with more than 250 variants, only this one. */
  readonly variant_ids: readonly Id[];
};
