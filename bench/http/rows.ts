import { typedTexts } from "./queries.ts";

/** A kind of request, which is a row in the results. */
export interface Row {
  readonly name: string;
  /** Creates complete requests for one run. */
  requests(): Promise<readonly string[]>;
}

interface Shopper {
  readonly csrfToken: string;
  readonly cookies: string;
}

/** Number of carts, which are written to in turn. */
const cartCount = 200;
/** Number of lines in a cart. */
const lineCount = 3;
const sectionId = "predictive-search";
/** Maximum requests per block of load. It is more than a block can send. */
const maxRequests = 30_000;
const MAX_LIMIT = 10;
const cachedPageCount = 30;
const cachedSuggestionCount = 64;

/**
 * Returns requests that compile the server's code and fill its caches before a measurement: different suggestions, as
 * JSON and as HTML sections.
 */
export async function warmUpRequests(origin: string): Promise<readonly string[]> {
  const { warmUpTexts } = await typedTexts();
  return warmUpTexts.map((text, number) =>
    get(origin, number % 2 === 0 ? suggestJson(text, MAX_LIMIT) : suggestSection(text, MAX_LIMIT)),
  );
}

/** Returns requests for pages, and for the suggestions that `warmUpRequests` begins with, in turn. */
export async function cachedRequests(origin: string): Promise<readonly string[]> {
  const response = await fetch(`${origin}/products.json?limit=${cachedPageCount}`);
  const { products } = (await response.json()) as { readonly products: readonly { readonly handle: string }[] };
  const paths = ["/", "/collections/all", ...products.map(({ handle }) => `/products/${encodeURIComponent(handle)}`)];
  const suggestions = (await warmUpRequests(origin)).slice(0, cachedSuggestionCount);
  return suggestions.flatMap((request, number) => [request, get(origin, paths[number % paths.length] ?? "/")]);
}

const suggestJson = (text: string, limit: number): string =>
  `/search/suggest.json?q=${encodeURIComponent(text)}&resources[type]=product,query&limit=${limit}`;
const suggestSection = (text: string, limit: number): string =>
  `/search/suggest?q=${encodeURIComponent(text)}&section_id=${sectionId}&limit=${limit}`;

/** Returns the rows for a shop with 100,000 products, the default theme and no other visitors. */
export async function rowsOf(origin: string): Promise<readonly Row[]> {
  const { variantIds, handle } = await findProducts(origin);
  const { measuredTexts } = await typedTexts();
  let nextText = 0;
  /** Returns paths of queries that the previous run did not send. */
  const freshPaths = (path: (text: string, limit: number) => string): readonly string[] => {
    const texts = Array.from(
      { length: Math.min(maxRequests, measuredTexts.length) },
      (_, at) => measuredTexts[(nextText + at) % measuredTexts.length] ?? "",
    );
    const limit = MAX_LIMIT - (Math.floor(nextText / measuredTexts.length) % MAX_LIMIT);
    nextText += texts.length;
    return texts.map((text) => get(origin, path(text, limit)));
  };
  const repeatPath = (path: string) => async () => [get(origin, path)];
  const carts = async (): Promise<readonly Shopper[]> => {
    const shoppers: Shopper[] = [];
    for (let number = 0; number < cartCount; number += 1)
      shoppers.push(await createShopperWithCart(origin, variantIds));
    return shoppers;
  };
  let cachedShoppers: Promise<readonly Shopper[]> | undefined;
  const shoppers = (): Promise<readonly Shopper[]> => {
    cachedShoppers ??= carts();
    return cachedShoppers;
  };
  const createChanges = async (changeFields: object): Promise<readonly string[]> =>
    (await shoppers()).flatMap((shopper, number) =>
      [2, 1].map((quantity) =>
        post(origin, "/cart/change.js", shopper, { line: 1 + (number % lineCount), quantity, ...changeFields }),
      ),
    );
  return [
    {
      name: "suggest json, fresh",
      requests: async () => freshPaths(suggestJson),
    },
    { name: "suggest json, repeated", requests: repeatPath("/search/suggest.json?q=coffee+t") },
    {
      name: "suggest section, fresh",
      requests: async () => freshPaths(suggestSection),
    },
    { name: "suggest section, repeated", requests: repeatPath(`/search/suggest?q=coffee+t&section_id=${sectionId}`) },
    {
      name: "cart.js, three lines",
      requests: async () => (await shoppers()).map(({ cookies }) => get(origin, "/cart.js", cookies)),
    },
    {
      name: "add, a new cart each",
      requests: async () =>
        (await shoppers()).map(({ csrfToken }) =>
          post(origin, "/cart/add.js", emptyShopper(csrfToken), { id: variantIds[0], quantity: 1 }),
        ),
    },
    { name: "change, many carts", requests: () => createChanges({}) },
    {
      name: "change with two sections",
      requests: () => createChanges({ sections: ["cart-drawer", "header"], sections_url: "/" }),
    },
    { name: "product page", requests: repeatPath(`/products/${handle}`) },
    { name: "collections/all", requests: repeatPath("/collections/all") },
  ];
}

function emptyShopper(csrfToken: string): Shopper {
  return { csrfToken, cookies: `csrf_token=${csrfToken}` };
}

function get(origin: string, path: string, cookies?: string): string {
  const cookie = cookies === undefined ? "" : `cookie: ${cookies}\r\n`;
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\naccept: */*\r\n${cookie}\r\n`;
}

function post(origin: string, path: string, { csrfToken, cookies }: Shopper, body: object): string {
  const text = JSON.stringify(body);
  const headers = [
    `host: ${new URL(origin).host}`,
    "content-type: application/json",
    `content-length: ${text.length}`,
    `x-csrf-token: ${csrfToken}`,
    `cookie: ${cookies}`,
  ];
  return `POST ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${text}`;
}

async function findProducts(
  origin: string,
): Promise<{ readonly variantIds: readonly number[]; readonly handle: string }> {
  const answer = await fetch(`${origin}/search/suggest.json?q=coffee&resources[type]=product&resources[limit]=10`);
  const body = (await answer.json()) as {
    readonly resources: {
      readonly results: {
        readonly products: readonly {
          readonly handle: string;
          readonly available: boolean;
          readonly variants: readonly { readonly id: number }[];
        }[];
      };
    };
  };
  const products = body.resources.results.products.filter(({ available }) => available);
  if (products.length < lineCount) throw new Error("too few products are to be had");
  const variantIds = products.map(({ variants }) => variants[0]?.id ?? 0);
  return { variantIds, handle: products[0]?.handle ?? "" };
}

/** Creates a visitor with a few lines in the cart. */
async function createShopperWithCart(origin: string, variantIds: readonly number[]): Promise<Shopper> {
  const csrfToken = (await fetch(`${origin}/api/csrf`)).headers.get("x-csrf-token") ?? "";
  const response = await fetch(`${origin}/cart/add.js`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": csrfToken, cookie: `csrf_token=${csrfToken}` },
    body: JSON.stringify({ items: variantIds.slice(0, lineCount).map((id) => ({ id, quantity: 1 })) }),
  });
  if (response.status !== 200) throw new Error(`a cart could not be made: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  const setCookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
  const cookies = [`csrf_token=${csrfToken}`, ...setCookies.filter((cookie) => !cookie.startsWith("csrf_token="))];
  return { csrfToken, cookies: cookies.join("; ") };
}
