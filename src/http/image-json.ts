import type { Image, Product, Variant } from "../catalog/product.ts";

/** A picture as theme objects have it; null where there is none. @param title stands in for a missing alternative text */
export function imageJson(image: Image | undefined, title: string): object | null {
  if (image === undefined) return null;
  const { src, alt, width, height } = image;
  return {
    url: src,
    alt: alt ?? title,
    width: width ?? null,
    height: height ?? null,
    aspect_ratio: width && height ? width / height : null,
  };
}

/** The variant's own picture, else the product's first. */
export function imageOf(product: Product, variant?: Variant): Image | undefined {
  return product.images.find(({ src }) => src === variant?.image) ?? product.images[0];
}
