import type { Image } from "../../catalog/product.ts";
import { objectType, TemplateObject } from "./template-object.ts";

/** A picture and what it shows, where the picture has no text of its own. */
export interface ImageSubject extends Image {
  /** 1 for the first. */
  readonly position?: number;
}

/** @param title says what is shown where the picture has no `alt` */
export function imageObject(
  image: Image | undefined,
  title: string,
  position = 1,
): TemplateObject<ImageSubject> | undefined {
  if (image === undefined) return undefined;
  const subject: ImageSubject = { ...image, alt: image.alt ?? title, position };
  const object = new TemplateObject(imageType, subject);
  subjects.set(object, subject);
  return object;
}

/** The picture a value stands for: an image object, something that has one, or an address. */
export function imageOf(value: unknown): ImageSubject | undefined {
  if (typeof value === "string") return value === "" ? undefined : { src: value };
  if (!(value instanceof TemplateObject)) return undefined;
  const found = subjects.get(value);
  if (found !== undefined) return found;
  const image = value.liquidMethodMissing("featured_image") ?? value.liquidMethodMissing("image");
  return image === value ? undefined : imageOf(image);
}

const subjects = new WeakMap<object, ImageSubject>();

const imageType = objectType<ImageSubject>(
  "image",
  {
    src: (image) => image.src,
    url: (image) => image.src,
    alt: (image) => image.alt,
    width: (image) => image.width,
    height: (image) => image.height,
    aspect_ratio: (image) => (image.width && image.height ? image.width / image.height : undefined),
    position: (image) => image.position,
    media_type: () => "image",
  },
  { preview_image: (image) => imageObject(image, image.alt ?? "", image.position) },
);
