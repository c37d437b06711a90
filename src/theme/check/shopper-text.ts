/** A text that shoppers write: printed as it is, it can be a script. */
export interface ShopperText {
  /** As the author knows it. */
  readonly name: string;
  /** Anybody can put it into a link, or others see it; else it comes back to the one who wrote it alone. */
  readonly isFromOthers: boolean;
}

/** Type of object -> field -> the text in it, where shoppers write it. */
export const shopperTexts: ReadonlyMap<string, ReadonlyMap<string, ShopperText>> = new Map([
  fields("search", "terms", { name: "search.terms", isFromOthers: true }),
  fields("predictive_search", "terms", { name: "predictive_search.terms", isFromOthers: true }),
  fields("cart", "note attributes", { name: "the cart's note or attributes", isFromOthers: false }),
  fields("line_item", "properties", { name: "a line item's properties", isFromOthers: false }),
  fields("customer", "name first_name last_name email phone note", {
    name: "the customer's data",
    isFromOthers: false,
  }),
  fields("address", "name first_name last_name company address1 address2 street city zip phone summary", {
    name: "an address",
    isFromOthers: false,
  }),
]);

function fields(type: string, names: string, text: ShopperText): readonly [string, ReadonlyMap<string, ShopperText>] {
  return [type, new Map(names.split(" ").map((name) => [name, text]))];
}
