import { arrayFilters } from "./array.ts";
import { assetFilters } from "./asset.ts";
import { dateFilters } from "./date.ts";
import { htmlFilters } from "./html.ts";
import { imageFilters } from "./image.ts";
import { jsonFilters } from "./json.ts";
import { mathFilters } from "./math.ts";
import { moneyFilters } from "./money.ts";
import { storeFilters } from "./store.ts";
import { stringFilters } from "./string.ts";
import { translateFilters } from "./translate.ts";

/** Every filter that is Vitrine's own. */
export const filterFamilies = [
  arrayFilters,
  assetFilters,
  dateFilters,
  htmlFilters,
  imageFilters,
  jsonFilters,
  mathFilters,
  moneyFilters,
  storeFilters,
  stringFilters,
  translateFilters,
];
