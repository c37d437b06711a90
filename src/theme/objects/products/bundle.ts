import type { Bundle } from "../../../catalog/bundle.ts";
import { localize } from "../../../catalog/localize.ts";
import { type BundleView, bundlePresenter } from "../../../catalog/presenters/content.ts";
import type { View } from "../../view.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { createProductObject } from "./product.ts";

interface BundleData extends BundleView {
  readonly view: View;
}

/** Creates a `bundle` object in the page's language.  @param bundle bundle in any language */
export function createBundleObject(view: View, bundle: Bundle): TemplateObject<BundleData> {
  return new TemplateObject(bundleType, { view, bundle: localize(bundle, view.request.locale), prefix: view.prefix });
}

const bundleType = createObjectType<BundleData>(
  "bundle",
  bundlePresenter,
  {
    products: ({ view, bundle }) =>
      bundle.products.flatMap((handle) => {
        const product = view.request.catalog.product(handle);
        return product === undefined ? [] : [createProductObject(view, product)];
      }),
  },
  { fieldTypes: { products: "product[]" }, identity: ({ bundle }) => bundle.id },
);
