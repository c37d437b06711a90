import type { Image } from "../../catalog/product.ts";
import { floatOf } from "../liquid/whole-float.ts";
import { objectType, TemplateObject, TextObject } from "./template-object.ts";

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

/** A number that stands for a text, for things that have no id of their own: 32 bits of FNV-1a. */
export function numberOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
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
    // A picture of unknown size is taken for a square: themes divide by this.
    aspect_ratio: (image) => floatOf(image.width && image.height ? image.width / image.height : 1),
    position: (image) => image.position,
    media_type: () => "image",
    id: (image) => numberOfText(image.src),
  },
  {
    preview_image: (image) => imageObject(image, image.alt ?? "", image.position),
    presentation: () => presentation,
    variants: () => [],
    "attached_to_variant?": () => false,
  },
  {
    absent: "product_id host external_id sources duration",
    returns: { preview_image: "image", presentation: "image_presentation", variants: "variant[]" },
    identity: ({ src }) => src,
  },
);

const focalPoint = new TextObject(
  objectType<undefined>("focal_point", { x: () => 50, y: () => 50 }),
  undefined,
  "50.0% 50.0%",
);

const presentation = new TemplateObject(
  objectType<undefined>(
    "image_presentation",
    { focal_point: () => focalPoint },
    {},
    { returns: { focal_point: "focal_point" } },
  ),
  undefined,
);
