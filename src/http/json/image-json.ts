import { imagePresenter, mediaPresenter, recordsOf, type ShownImage } from "../../catalog/presenters/presenter.ts";

const imageRecord = recordsOf(imagePresenter);
const mediaRecord = recordsOf(mediaPresenter);
const { id, src, position } = mediaPresenter;
const positionedRecord = recordsOf({ id, src, position, ...imagePresenter });

/** The record of an image; null for undefined. */
export function imageJson(image: ShownImage | undefined): Record<string, unknown> | null {
  return image === undefined ? null : imageRecord(image);
}

/** As {@link imageJson}, with its position among the product's images. */
export function positionedImageJson(image: ShownImage | undefined): Record<string, unknown> | null {
  return image === undefined ? null : positionedRecord(image);
}

/** An image in a product's media. */
export function mediaJson(image: ShownImage): Record<string, unknown> {
  const media = mediaRecord(image);
  return { ...media, preview_image: media };
}

export function mediaOrNull(image: ShownImage | undefined): Record<string, unknown> | null {
  return image === undefined ? null : mediaJson(image);
}
