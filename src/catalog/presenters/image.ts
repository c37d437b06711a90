import { fnv1a } from "../../runtime/hash.ts";
import type { Image } from "../product.ts";
import type { Presenter } from "./presenter.ts";

/** A picture with what is said of it. */
export interface ShownImage extends Image {
  readonly alt: string;
  /** 1 for the first of its product. */
  readonly position: number;
}

/** @param title says what is shown where the picture has no text of its own */
export function shownImage(image: Image | undefined, title: string, position = 1): ShownImage | undefined {
  return image === undefined ? undefined : { ...image, alt: image.alt ?? title, position };
}

export const imagePresenter = {
  url: ({ src }) => src,
  alt: ({ alt }) => alt,
  width: ({ width }) => width,
  height: ({ height }) => height,
  // A picture of unknown size is taken for a square: themes divide by this.
  aspect_ratio: ({ width, height }): number => (width && height ? width / height : 1),
} satisfies Presenter<ShownImage>;

/** A picture as one of a product's media. */
export const mediaPresenter = {
  ...imagePresenter,
  id: ({ src }) => fnv1a(src),
  src: ({ src }) => src,
  media_type: () => "image",
  position: ({ position }) => position,
} satisfies Presenter<ShownImage>;
