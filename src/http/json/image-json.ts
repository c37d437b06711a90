import { imagePresenter, mediaPresenter, type ShownImage } from "../../catalog/presenters/image.ts";
import { recordsOf } from "../../catalog/presenters/presenter.ts";

const imageRecord = recordsOf(imagePresenter);
const mediaRecord = recordsOf(mediaPresenter);

/** What is known of a picture; null where there is none. */
export function imageJson(image: ShownImage | undefined): Record<string, unknown> | null {
  return image === undefined ? null : imageRecord(image);
}

/** A picture among a product's media. */
export function mediaJson(image: ShownImage): Record<string, unknown> {
  const media = mediaRecord(image);
  return { ...media, preview_image: media };
}
