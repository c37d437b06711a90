import type { Bundle } from "../../catalog/bundle.ts";
import { localize } from "../../catalog/localize.ts";
import { localPath, type View } from "../view.ts";
import { productObject } from "./product.ts";
import { objectType, TemplateObject } from "./template-object.ts";
import { idOf } from "./variant.ts";

interface Subject {
  readonly view: View;
  readonly bundle: Bundle;
}

/** @param bundle in any language; it is translated here */
export function bundleObject(view: View, bundle: Bundle): TemplateObject<Subject> {
  return new TemplateObject(bundleType, { view, bundle: localize(bundle, view.request.locale) });
}

const bundleType = objectType<Subject>(
  "bundle",
  {
    id: ({ bundle }) => idOf(bundle.id),
    name: ({ bundle }) => bundle.name,
    title: ({ bundle }) => bundle.title,
    handle: ({ bundle }) => bundle.handle,
    type: ({ bundle }) => bundle.type,
    url: ({ view, bundle }) => localPath(view, `/bundles/${encodeURIComponent(bundle.handle)}`),
    ends_at: ({ bundle }) => bundle.endsAt,
  },
  {
    products: ({ view, bundle }) =>
      bundle.products.flatMap((handle) => {
        const product = view.request.catalog.product(handle);
        return product === undefined ? [] : [productObject(view, product)];
      }),
  },
  { returns: { products: "product[]" }, identity: ({ bundle }) => bundle.id },
);
