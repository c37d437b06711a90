import { Float } from "@vitrine/liquid";
import { type ImageView, mediaPresenter } from "../../catalog/presenters/presenter.ts";
import type { Image } from "../../catalog/product.ts";
import { createObjectType, getSubject, jsonFieldNames, TemplateObject, TextObject } from "./template-object.ts";

/** An image, with its product if it belongs to one. */
export interface ProductImage extends ImageView {
  readonly productId?: number | string;
  /** Lists the objects of the variants that show the image. */
  listVariants?(): readonly unknown[];
  /** Lists the ids of the variants that show the image of a variant. Undefined for other images. */
  listVariantIds?(): readonly (number | string)[];
}

/** Creates an image that prints its URL. The `json` filter writes it as an object. */
export function createImageObject(image: ProductImage | undefined): TemplateObject<ProductImage> | undefined {
  return image && new ImageObject(image);
}

/** Creates an image that prints its URL. The `json` filter also writes it as a URL. */
export function createImageUrlObject(image: ProductImage | undefined): TemplateObject<ProductImage> | undefined {
  return image && new TextObject(imageType, image, image.src);
}

class ImageObject extends TemplateObject<ProductImage> {
  readonly #image: ProductImage;

  constructor(image: ProductImage) {
    super(imageType, image);
    this.#image = image;
  }

  override toText(): string {
    return this.#image.src;
  }
}

/** The image of a variant. The `json` filter writes it as a URL, and in the JSON of its variant as an object. */
export class VariantImage extends TextObject<ProductImage> {
  constructor(image: ProductImage) {
    super(imageType, image, image.src);
  }

  override get [jsonFieldNames](): readonly string[] {
    return [...super[jsonFieldNames], "variant_ids"];
  }
}

/**
 * Creates an image in a product's media list. The `json` filter also writes its preview image, which is the same image.
 */
export function createImageMedia(image: ProductImage): TemplateObject<ProductImage>;
export function createImageMedia(image: ProductImage | undefined): TemplateObject<ProductImage> | undefined;
export function createImageMedia(image: ProductImage | undefined): TemplateObject<ProductImage> | undefined {
  return image && new ImageMedia(image);
}

class ImageMedia extends ImageObject {
  override get [jsonFieldNames](): readonly string[] {
    return [...super[jsonFieldNames], "preview_image"];
  }
}

/** Returns the image of a value: an image object, an object that has an image, or a URL. */
export function imageOf(value: unknown): Image | undefined {
  if (typeof value === "string") return value === "" ? undefined : { src: value };
  if (!(value instanceof TemplateObject)) return undefined;
  const imageData = value[getSubject](imageType);
  if (imageData !== undefined) return imageData;
  const image = value.field("featured_image") ?? value.field("image") ?? value.field("preview_image");
  return image === value ? undefined : imageOf(image);
}

const imageType = createObjectType<ProductImage>(
  "image",
  {
    ...mediaPresenter,
    aspect_ratio: (image) => Float.of(mediaPresenter.aspect_ratio(image)),
    // As on Shopify, `image.src` prints the URL and is also an object with the fields of the image.
    src: (image) => createImageUrlObject(image),
  },
  {
    preview_image: (image) => createImageObject(image),
    presentation: () => imagePresentation,
    product_id: ({ productId }) => productId,
    variants: (image) => image.listVariants?.() ?? [],
    variant_ids: (image) => image.listVariantIds?.(),
    "attached_to_variant?": (image) => (image.listVariants?.().length ?? 0) > 0,
  },
  {
    emptyFields: "host external_id sources duration",
    fieldTypes: { src: "image", preview_image: "image", presentation: "image_presentation", variants: "variant[]" },
    identity: ({ src }) => src,
  },
);

const focalPoint = new TextObject(
  createObjectType<undefined>("focal_point", { x: () => 50, y: () => 50 }),
  undefined,
  "50.0% 50.0%",
);

const imagePresentation = new TemplateObject(
  createObjectType<undefined>(
    "image_presentation",
    { focal_point: () => focalPoint },
    {},
    { fieldTypes: { focal_point: "focal_point" } },
  ),
  undefined,
);
