import type { Catalog } from "../catalog.ts";
import type { Collection } from "../collection.ts";
import { localize } from "../localize.ts";
import { type ShownImage, shownImage } from "./image.ts";
import { type Presenter, shownId } from "./presenter.ts";
import { featuredImage } from "./product.ts";

export interface ShownCollection {
  /** In the language in which it is shown. */
  readonly collection: Collection;
  readonly locale: string;
  /** Of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const collectionPresenter = {
  id: ({ collection }) => shownId(collection.id),
  title: ({ collection }) => collection.title,
  handle: ({ collection }) => collection.handle,
  url: ({ collection, prefix }) => `${prefix}/collections/${encodeURIComponent(collection.handle)}`,
  body: ({ collection }) => collection.description,
  description: ({ collection }) => collection.description,
} satisfies Presenter<ShownCollection>;

/** The collection's own picture; undefined where it has none. */
export function collectionImage({ image, title }: Collection): ShownImage | undefined {
  return shownImage(image, title);
}

/** The collection's own picture, else that of its first product. @param products document numbers of its products, in its order */
export function collectionFeaturedImage(
  { collection, locale }: ShownCollection,
  catalog: Pick<Catalog, "entry">,
  products: () => ArrayLike<number>,
): ShownImage | undefined {
  if (collection.image !== undefined) return collectionImage(collection);
  const first = products()[0];
  const entry = first === undefined ? undefined : catalog.entry(first);
  return entry?.kind === "product" ? featuredImage(localize(entry, locale)) : undefined;
}
