import { assetFilters } from "./asset.ts";
import { colorFilters } from "./color.ts";
import { dateFilters } from "./dates/date.ts";
import { fontFilters } from "./font.ts";
import { formattingFilters } from "./format.ts";
import { htmlFilters } from "./html.ts";
import { imageFilters, placeholderFilters } from "./images/image.ts";
import { legacyImageFilters } from "./images/legacy-image.ts";
import { mediaFilters } from "./images/media.ts";
import { jsonFilters } from "./json.ts";
import { linkFilters } from "./link.ts";
import { metafieldFilters } from "./metafield.ts";
import { moneyFilters } from "./money.ts";
import { paymentFilters } from "./payment.ts";
import { storeFilters } from "./store.ts";
import { digestFilters, stringFilters } from "./string.ts";
import { translationFilters } from "./translate.ts";

/** Filters that the storefront adds to standard Liquid. */
export const filterFamilies = [
  assetFilters,
  dateFilters,
  digestFilters,
  htmlFilters,
  imageFilters,
  jsonFilters,
  colorFilters,
  fontFilters,
  linkFilters,
  mediaFilters,
  legacyImageFilters,
  paymentFilters,
  metafieldFilters,
  formattingFilters,
  moneyFilters,
  storeFilters,
  placeholderFilters,
  stringFilters,
  translationFilters,
];
