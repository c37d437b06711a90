/** Text that shoppers write. It can contain a script and must be escaped. */
export interface ShopperText {
  /** Name of the value in the template. */
  readonly name: string;
  /** Whether the text can be set by a link or is shown to other visitors. If false, only its author sees the text. */
  readonly isUntrusted: boolean;
}

/** Fields that contain text written by shoppers, by object type and field name. */
export const shopperTexts: ReadonlyMap<string, ReadonlyMap<string, ShopperText>> = new Map([
  listTextFields("search", "terms", { name: "search.terms", isUntrusted: true }),
  listTextFields("predictive_search", "terms", { name: "predictive_search.terms", isUntrusted: true }),
  listTextFields("cart", "note attributes", { name: "the cart's note or attributes", isUntrusted: false }),
  listTextFields("line_item", "properties", { name: "a line item's properties", isUntrusted: false }),
  listTextFields("customer", "name first_name last_name email phone note", {
    name: "the customer's data",
    isUntrusted: false,
  }),
  listTextFields("address", "name first_name last_name company address1 address2 street city zip phone summary", {
    name: "an address",
    isUntrusted: false,
  }),
]);

function listTextFields(
  type: string,
  names: string,
  text: ShopperText,
): readonly [string, ReadonlyMap<string, ShopperText>] {
  return [type, new Map(names.split(" ").map((name) => [name, text]))];
}
