import { imagePresenter, mediaPresenter, recordsOf, type ShownImage } from "../../catalog/presenters/presenter.ts";

const imageRecord = recordsOf(imagePresenter);
const mediaRecord = recordsOf(mediaPresenter);
const { id, src, position } = mediaPresenter;
const pictureRecord = recordsOf({ id, src, position, ...imagePresenter });

/** What is known of a picture; null where there is none. */
export function imageJson(image: ShownImage | undefined): Record<string, unknown> | null {
  return image === undefined ? null : imageRecord(image);
}

/** As {@link imageJson}, with its place among the product's pictures. */
export function pictureJson(image: ShownImage | undefined): Record<string, unknown> | null {
  return image === undefined ? null : pictureRecord(image);
}

/** A picture among a product's media. */
export function mediaJson(image: ShownImage): Record<string, unknown> {
  const media = mediaRecord(image);
  return { ...media, preview_image: media };
}

export function mediaOrNull(image: ShownImage | undefined): Record<string, unknown> | null {
  return image === undefined ? null : mediaJson(image);
}
