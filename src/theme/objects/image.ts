import { mediaPresenter, type ShownImage } from "../../catalog/presenters/image.ts";
import type { Image } from "../../catalog/product.ts";
import { floatOf } from "../../liquid/values/float.ts";
import { objectType, subjectAs, TemplateObject, TextObject, writtenFields } from "./template-object.ts";

/** A picture where JSON has an object: prints its address, and `json` writes its fields. */
export function imageObject(image: ShownImage | undefined): TemplateObject<ShownImage> | undefined {
  return image && new ImageObject(image);
}

/** A picture where JSON has an address alone: prints that, and so does `json`. Templates read the same fields of it. */
export function imageAddress(image: ShownImage | undefined): TemplateObject<ShownImage> | undefined {
  return image && new TextObject(imageType, image, image.src);
}

class ImageObject extends TemplateObject<ShownImage> {
  readonly #src: string;

  constructor(image: ShownImage) {
    super(imageType, image);
    this.#src = image.src;
  }

  override toText(): string {
    return this.#src;
  }
}

/** A picture among a product's media: `json` writes the picture that stands for it, too, which is itself. */
export function mediaObject(image: ShownImage | undefined): TemplateObject<ShownImage> | undefined {
  return image && new MediaObject(image);
}

class MediaObject extends ImageObject {
  override get [writtenFields](): readonly string[] {
    return [...super[writtenFields], "preview_image"];
  }
}

/** The picture a value stands for: an image object, something that has one, or an address. */
export function imageOf(value: unknown): Image | undefined {
  if (typeof value === "string") return value === "" ? undefined : { src: value };
  if (!(value instanceof TemplateObject)) return undefined;
  const found = value[subjectAs](imageType);
  if (found !== undefined) return found;
  const image = value.field("featured_image") ?? value.field("image");
  return image === value ? undefined : imageOf(image);
}

const imageType = objectType<ShownImage>(
  "image",
  {
    ...mediaPresenter,
    aspect_ratio: (image) => floatOf(mediaPresenter.aspect_ratio(image)),
  },
  {
    preview_image: (image) => imageObject(image),
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
