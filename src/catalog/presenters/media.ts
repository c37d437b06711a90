import { hashFnv1a } from "../../runtime/hash.ts";
import { classifyMedia, type MediaKind, type ProductMedia } from "../media.ts";
import type { Product } from "../product.ts";
import { createImageView, type ImageView, type Presenter } from "./presenter.ts";
import { listProductImages } from "./product.ts";

/** A video or 3D model in the media of a product, after the images. */
export interface MediaView {
  readonly media: ProductMedia;
  readonly kind: MediaKind;
  readonly alt: string;
  /** Position among the product's media, starting at 1. */
  readonly position: number;
  /** Image shown before the video plays. Default: the first image of the product. */
  readonly poster: ImageView | undefined;
}

/** Returns the images of a product, then its videos and 3D models. */
export function listProductMedia(product: Product): readonly (ImageView | MediaView)[] {
  const images = listProductImages(product);
  return [...images, ...listVideosAndModels(product, images)];
}

function listVideosAndModels({ media = [], title }: Product, images: readonly ImageView[]): readonly MediaView[] {
  return media.flatMap((entry, index): readonly MediaView[] => {
    const kind = classifyMedia(entry.src);
    const alt = entry.alt ?? title;
    const poster = entry.poster === undefined ? images[0] : createImageView({ src: entry.poster, alt }, title);
    return kind === undefined ? [] : [{ media: entry, kind, alt, position: images.length + index + 1, poster }];
  });
}

export function isMediaView(view: ImageView | MediaView): view is MediaView {
  return "kind" in view;
}

/** Fields of a video or 3D model, without its sources and its preview image. */
export const videoPresenter = {
  id: ({ media }) => hashFnv1a(media.src),
  alt: ({ alt }) => alt,
  position: ({ position }) => position,
  media_type: ({ kind }) => kind.type,
  // If the size is unknown, a typical ratio is used, because themes divide by it.
  aspect_ratio: ({ media: { width, height }, kind }): number =>
    width && height ? width / height : kind.type === "model" ? 1 : 16 / 9,
  host: ({ kind }) => ("host" in kind ? kind.host : undefined),
  external_id: ({ kind }) => ("externalId" in kind ? kind.externalId : undefined),
} satisfies Presenter<MediaView>;

/** Fields of a video file or 3D model file. */
export const mediaSourcePresenter = {
  url: ({ media }) => media.src,
  format: ({ kind }) => ("format" in kind ? kind.format : undefined),
  mime_type: ({ kind }) => ("mimeType" in kind ? kind.mimeType : undefined),
  width: ({ media }) => media.width,
  height: ({ media }) => media.height,
} satisfies Presenter<MediaView>;

/** Returns the files of a video or 3D model; [] for a video on YouTube or Vimeo. */
export function listMediaSources(view: MediaView): readonly MediaView[] {
  return view.kind.type === "external_video" ? [] : [view];
}
