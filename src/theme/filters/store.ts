import { formatDecimalMoney } from "../../pricing/money.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { type RenderState, stateOf } from "../render-state.ts";
import {
  type FilterFamily,
  getObjectField as field,
  readFieldText,
  readNumber,
  splitArguments,
  textOf,
} from "./filter.ts";
import { serializeForScript } from "./json.ts";
import { createStructuredData } from "./structured-data.ts";

export const storeFilters: FilterFamily = {
  /** Returns the quantity of a variant in the cart: `{{ cart | item_count_for_variant: variant.id }}`. */
  item_count_for_variant(cart, variantId) {
    const items = field(cart, "items");
    if (!Array.isArray(items)) return 0;
    const id = textOf(variantId);
    return items
      .filter((item) => readFieldText(item, "variant_id") === id)
      .reduce((sum: number, item) => sum + (readNumber(field(item, "quantity")) ?? 0), 0);
  },
  /** Returns the lines of the cart that contain a product or variant. */
  line_items_for(cart, subject) {
    const items = field(cart, "items");
    if (!Array.isArray(items)) return [];
    const name = subject instanceof TemplateObject && subject.object_type === "variant" ? "variant_id" : "product_id";
    const id = readFieldText(subject, "id");
    return items.filter((item) => readFieldText(item, name) === id);
  },
  /** Returns data about a product, a collection or the cart as JSON, for theme scripts. */
  standard_event_data(value, event, ...args) {
    const { namedArgs } = splitArguments(args);
    if (textOf(event) !== "view" || !(value instanceof TemplateObject)) return "null";
    const context = namedArgs.get("context");
    return serializeForScript({
      context: context === undefined ? null : textOf(context),
      ...createEventData(value, stateOf(this)),
    });
  },
  /** Returns the JSON-LD data of a product or an article for search engines. Themes print it in a script element. */
  structured_data(value) {
    const data = value instanceof TemplateObject ? createStructuredData(value, stateOf(this).view) : undefined;
    return data === undefined ? "" : serializeForScript(data);
  },
};

function createEventData(value: TemplateObject<unknown>, { view }: RenderState): Readonly<Record<string, unknown>> {
  const toMoneyRecord = (amount: unknown): unknown => ({
    amount: formatDecimalMoney(readNumber(amount) ?? 0, view.config.currency),
    currencyCode: view.config.currency,
  });
  const readText = (name: string): string => readFieldText(value, name);
  if (value.object_type === "cart")
    return {
      cart: {
        totalQuantity: field(value, "item_count"),
        cost: { totalAmount: toMoneyRecord(field(value, "total_price")) },
      },
    };
  if (value.object_type === "collection")
    return { collection: { id: readText("id"), handle: readText("handle"), title: readText("title") } };
  const variant = field(value, "selected_or_first_available_variant");
  const selectedVariant = {
    id: readFieldText(variant, "id"),
    title: readFieldText(variant, "title"),
    price: toMoneyRecord(field(variant, "price")),
  };
  const product = {
    id: readText("id"),
    handle: readText("handle"),
    title: readText("title"),
    vendor: readText("vendor"),
    productType: readText("type"),
    selectedVariant,
  };
  return { product };
}
