/**
 * Tools of the shop for agents in the browser, by the draft of the W3C's Web Machine Learning Community Group:
 * https://webmachinelearning.github.io/webmcp/. vitrine.js and standard-actions.js load this module only if the browser
 * has the API. Agents use the cart and the session of the visitor.
 */

const pickFields = (source, ...names) => Object.fromEntries(names.map((name) => [name, source[name]]));
const toStringField = (description) => ({ type: "string", description });
const toInputSchema = (properties, ...required) => ({ type: "object", properties, required });
const toQuantityField = (minimum, description) => ({ type: "integer", minimum, description });

const toAbsoluteUrl = (path) => new URL(path, location.href).href;

/** Returns the fields of a cart that agents need. */
const toCartSummary = ({ currency_code, items, issues, ...cart }) => ({
  currency: currency_code,
  ...pickFields(cart, "item_count", "items_subtotal_price", "total_discount", "total_price", "note"),
  items: items.map((item) => ({
    ...pickFields(item, "key", "variant_id", "title", "quantity", "final_price", "final_line_price"),
    url: toAbsoluteUrl(item.url),
  })),
  issues: issues.map((issue) => pickFields(issue, "code", "message", "key")),
});

const toProductSummary = (product) => ({
  ...pickFields(product, "id", "title", "vendor", "price", "available"),
  url: toAbsoluteUrl(product.url),
  variants: product.variants.map((variant) =>
    pickFields(variant, "id", "title", "price", "available", "quantity_rule"),
  ),
});

const findProducts = async (root, { query, page = 1 }) => {
  const parameters = new URLSearchParams({ q: query, type: "product", limit: 10, page });
  const response = await fetch(`${root}search.json?${parameters}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message ?? answer.description);
  return { ...pickFields(answer, "results_count", "page", "pages"), products: answer.results.map(toProductSummary) };
};

/** Creates the tools. Their names are part of the contract with agents. */
const createAgentTools = (root, cart) => [
  {
    name: "search_products",
    title: "Search products",
    description:
      "Finds products of this shop by words, with misspellings. Returns at most ten products of a page, with their variants. Prices are in minor units of the cart's currency, such as cents.",
    inputSchema: toInputSchema(
      {
        query: toStringField("Words, such as a kind of product, a brand, or a color."),
        page: toQuantityField(1, "Number of the page. Default: 1."),
      },
      "query",
    ),
    annotations: { readOnlyHint: true },
    run: (input) => findProducts(root, input),
  },
  {
    name: "get_cart",
    title: "Show the cart",
    description:
      "Returns the visitor's cart: its lines with their keys, totals in minor units of `currency`, and issues, such as items that are sold out.",
    inputSchema: toInputSchema({}),
    annotations: { readOnlyHint: true },
    run: async () => toCartSummary(await cart.get()),
  },
  {
    name: "add_to_cart",
    title: "Add to cart",
    description: "Adds a variant of a product to the visitor's cart, and returns the cart.",
    inputSchema: toInputSchema(
      {
        variant_id: { type: ["string", "integer"], description: "`id` of a variant of `search_products`." },
        quantity: toQuantityField(1, "Number of units. Default: 1."),
      },
      "variant_id",
    ),
    run: async ({ variant_id, quantity = 1 }) => toCartSummary(await cart.add({ id: variant_id, quantity })),
  },
  {
    name: "update_cart_line",
    title: "Change the quantity",
    description: "Sets the quantity of a line of the visitor's cart, and returns the cart. 0 removes the line.",
    inputSchema: toInputSchema(
      {
        key: toStringField("`key` of a line of `get_cart`."),
        quantity: toQuantityField(0, "New number of units."),
      },
      "key",
      "quantity",
    ),
    run: async ({ key, quantity }) => toCartSummary(await cart.change(key, quantity)),
  },
  {
    name: "go_to_checkout",
    title: "Go to checkout",
    description:
      "Opens the checkout page of the visitor's cart. Only the visitor enters an address, pays, and places the order.",
    inputSchema: toInputSchema({}),
    run: async () => {
      const { item_count } = await cart.get();
      if (item_count === 0) throw new Error("The cart is empty.");
      // The agent receives the result before the page changes.
      setTimeout(() => location.assign(`${root}checkout`));
      return { url: toAbsoluteUrl(`${root}checkout`) };
    },
  },
];

/** Runs a tool. Agents receive an error of the shop as a result, because browsers hide the text of exceptions. */
const execute = async (run, input) => {
  try {
    return await run(input);
  } catch (error) {
    return { error: error.code ?? "failed", message: error.message };
  }
};

/**
 * Registers the tools. Another client script on the same page may have registered them before.
 * @param root path of the shop with its language, such as "/fr/"
 * @param cart reads and changes the cart, with `get`, `add`, and `change` of the cart of vitrine.js
 */
export async function registerTools(root, cart) {
  // Earlier versions of Chromium, such as 147, have the API at `navigator`.
  const modelContext = document.modelContext ?? navigator.modelContext;
  try {
    for (const { run, ...tool } of createAgentTools(root, cart))
      await modelContext.registerTool({ ...tool, execute: (input) => execute(run, input) });
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
  }
}
