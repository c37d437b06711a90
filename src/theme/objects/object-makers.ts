import type { ObjectFactories } from "../view.ts";
import { collectionObject } from "./collections/collection.ts";
import { blogObject } from "./content/blog.ts";
import { productObject } from "./products/product.ts";
import { settingsObject } from "./settings/settings.ts";

/** Constructors of template objects, which every view uses. */
export const objectMakers: ObjectFactories = {
  product: productObject,
  collection: collectionObject,
  blog: blogObject,
  settings: settingsObject,
};
