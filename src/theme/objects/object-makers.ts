import type { ObjectFactories } from "../view.ts";
import { createCollectionObject } from "./collections/collection.ts";
import { createBlogObject } from "./content/blog.ts";
import { createProductObject } from "./products/product.ts";
import { createSettingsObject } from "./settings/settings.ts";

/** Functions that create template objects, for the field `objects` of every view. */
export const objectFactories: ObjectFactories = {
  product: createProductObject,
  collection: createCollectionObject,
  blog: createBlogObject,
  settings: createSettingsObject,
};
