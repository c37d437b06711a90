/**
 * A search client for Algolia's front-end libraries InstantSearch and Autocomplete. Served with every store at
 * `/vitrine/search-client.js`.
 */

/** Options of `createSearchClient`. */
export interface SearchClientOptions {
  /** Origin of the shop, such as "https://shop.example". Default: the origin of the page. */
  readonly origin?: string;
  /** Language of the results, such as "fr". Default: the default language of the shop. */
  readonly locale?: string;
  /** Key of `vitrine token search-key`, which pages on other origins need. */
  readonly key?: string;
  /**
   * Filters of the shop by the attribute names of the front end: `{ brand: "vendor", color: "option.color" }`. A filter
   * is `vendor`, `product_type`, `tag`, `availability`, `price`, `option.<name>`, or `m.<namespace>.<key>`. Default: an
   * attribute has the name of its filter.
   */
  readonly attributes?: Readonly<Record<string, string>>;
  /**
   * Types and sort orders by the index names of the front end: `{ items_by_price: "product:price-ascending" }`. A type
   * is `product`, `collection`, `page`, `article`, `bundle`, several of them separated by commas, or `query`. Default:
   * an index has the name of its type.
   */
  readonly indexes?: Readonly<Record<string, string>>;
  /** Other parameters of each search, such as `{ "resources[options][unavailable_products]": "hide" }`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Converts a result of `/search.json` to a hit, so that templates find their fields. */
  readonly toHit?: (entry: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: (url: string) => Promise<Response>;
}

/** The members of Algolia's search client that the libraries use. Their types are those of the libraries. */
export interface SearchClient {
  readonly appId: string;
  readonly apiKey: string;
  readonly transporter: { readonly headers: Readonly<Record<string, string>> };
  /**
   * Runs several searches in one request.
   * @param requests index names, and parameters with the names of Algolia's search API
   * @throws Error if the shop does not support a parameter
   */
  search(requests: readonly object[]): Promise<{ results: never[] }>;
  /** Searches the values of facets, for searchable lists. */
  searchForFacetValues(requests: readonly object[]): Promise<never[]>;
}

/** Creates a search client of a shop. */
export declare function createSearchClient(options?: SearchClientOptions): SearchClient;
