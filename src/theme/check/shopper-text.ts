/** Text that shoppers write. Printed without escaping, it can contain a script. */
export interface ShopperText {
  /** Name of the value in the template. */
  readonly name: string;
  /** Whether a link can set the text or other visitors see it. Otherwise only its author sees it. */
  readonly isUntrusted: boolean;
}

/** Fields that contain text of shoppers, by object type and field. */
export const shopperTexts: ReadonlyMap<string, ReadonlyMap<string, ShopperText>> = new Map([
  textFields("search", "terms", { name: "search.terms", isUntrusted: true }),
  textFields("predictive_search", "terms", { name: "predictive_search.terms", isUntrusted: true }),
  textFields("cart", "note attributes", { name: "the cart's note or attributes", isUntrusted: false }),
  textFields("line_item", "properties", { name: "a line item's properties", isUntrusted: false }),
  textFields("customer", "name first_name last_name email phone note", {
    name: "the customer's data",
    isUntrusted: false,
  }),
  textFields("address", "name first_name last_name company address1 address2 street city zip phone summary", {
    name: "an address",
    isUntrusted: false,
  }),
]);

function textFields(
  type: string,
  names: string,
  text: ShopperText,
): readonly [string, ReadonlyMap<string, ShopperText>] {
  return [type, new Map(names.split(" ").map((name) => [name, text]))];
}
