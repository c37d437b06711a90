import type { View } from "../../view.ts";
import { productObject } from "../products/product.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** Recommended products; set only in sections of `/recommendations/products`. */
export function recommendationsObject(view: View): TemplateObject<View> {
  return new TemplateObject(recommendationsType, view);
}

const recommendationsType = objectType<View>(
  "recommendations",
  {
    "performed?": ({ request }) => request.recommendations !== undefined,
    performed: ({ request }) => request.recommendations !== undefined,
    products_count: ({ request }) => request.recommendations?.products.length ?? 0,
    intent: ({ request }) => request.recommendations?.intent,
  },
  {
    products: (view) => view.request.recommendations?.products.map((product) => productObject(view, product)) ?? [],
  },
  { returns: { products: "product[]" } },
);
