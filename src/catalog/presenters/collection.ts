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

/** Products that are asked for a picture in place of the collection's own. */
const MOST_ASKED = 24;

/** The collection's own picture, else that of the first of its products that has one. @param products document numbers of its products, in its order */
export function collectionFeaturedImage(
  { collection, locale }: ShownCollection,
  catalog: Pick<Catalog, "entry">,
  products: () => ArrayLike<number>,
): ShownImage | undefined {
  if (collection.image !== undefined) return collectionImage(collection);
  const numbers = products();
  for (let place = 0; place < Math.min(MOST_ASKED, numbers.length); place += 1) {
    const entry = catalog.entry(numbers[place] as number);
    if (entry?.kind === "product" && entry.images.length > 0) return featuredImage(localize(entry, locale));
  }
  return undefined;
}
