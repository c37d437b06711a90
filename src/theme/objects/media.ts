import { Float } from "@vitrine/liquid";
import {
  isMediaView,
  listMediaSources,
  type MediaView,
  mediaSourcePresenter,
  videoPresenter,
} from "../../catalog/presenters/media.ts";
import { createImageMedia, createImageObject, type ProductImage } from "./image.ts";
import { createObjectType, TemplateObject } from "./template-object.ts";

/** Creates an image, video, or 3D model in the media of a product. */
export function createMediaObject(
  view: ProductImage | MediaView,
): TemplateObject<ProductImage> | TemplateObject<MediaView> {
  return isMediaView(view) ? new TemplateObject(mediaType, view) : createImageMedia(view);
}

const sourceType = createObjectType<MediaView>("media_source", mediaSourcePresenter);

const mediaType = createObjectType<MediaView>(
  "media",
  {
    ...videoPresenter,
    aspect_ratio: (view) => Float.of(videoPresenter.aspect_ratio(view)),
    sources: (view) => listMediaSources(view).map((source) => new TemplateObject(sourceType, source)),
    preview_image: ({ poster }) => createImageObject(poster),
  },
  // Images in the same list have these fields too, so templates may read them from any media object. Galleries compare
  // `src` with the images of variants, which they hide, so a video has none.
  {
    src: () => undefined,
    width: ({ media }) => media.width,
    height: ({ media }) => media.height,
  },
  {
    emptyFields: "duration presentation product_id variants",
    fieldTypes: { sources: "media_source[]", preview_image: "image", presentation: "image_presentation" },
    identity: ({ media }) => media.src,
  },
);
