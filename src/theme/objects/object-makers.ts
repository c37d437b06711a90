import type { ObjectMakers } from "../view.ts";
import { blogObject } from "./blog.ts";
import { collectionObject } from "./collection.ts";
import { productObject } from "./product.ts";
import { settingsObject } from "./settings.ts";

/** What every view makes its objects by. */
export const objectMakers: ObjectMakers = {
  product: productObject,
  collection: collectionObject,
  blog: blogObject,
  settings: settingsObject,
};
