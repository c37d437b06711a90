import type { FilterTable } from "../compile/filter.ts";
import { arrayFilters } from "./array.ts";
import { dateFilters } from "./date.ts";
import { encodingFilters } from "./encoding.ts";
import { mathFilters } from "./math.ts";
import { textFilters } from "./text.ts";

/** The filters of standard Liquid. */
export const standardFilters: FilterTable = new Map([
  ...arrayFilters,
  ...dateFilters,
  ...encodingFilters,
  ...mathFilters,
  ...textFilters,
]);
