/** Complete requests to Vendure that correspond to a row of `http.ts`, by row name. */
export type VendureRows = ReadonlyMap<string, readonly string[]>;

const cartCount = 50;
const lineCount = 3;
const order = `id code state totalQuantity subTotalWithTax currencyCode
  lines { id quantity unitPriceWithTax linePriceWithTax productVariant { id name sku } }`;

export async function vendureRows(port: number): Promise<VendureRows> {
  const add = (variant: number): object => ({
    query: `mutation { addItemToOrder(productVariantId: "${variant}", quantity: 1) { __typename ... on Order { ${order} } } }`,
  });
  const tokens: string[] = [];
  for (let number = 0; number < cartCount; number += 1) {
    let token: string | undefined;
    for (let variant = 1; variant <= lineCount; variant += 1) token = await ask(port, add(variant), token);
    tokens.push(token ?? "");
  }
  return new Map([
    ["cart.js, three lines", tokens.map((token) => post(port, { query: `{ activeOrder { ${order} } }` }, token))],
    ["add, a new cart each", [post(port, add(1))]],
  ]);
}

/** Sends a GraphQL request.  @returns the token of the session  @throws Error if the response is an error */
async function ask(port: number, body: object, token: string | undefined): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/shop-api`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200 || text.includes('"errors"') || text.includes("ErrorResult"))
    throw new Error(`Vendure refused: ${answer.status} ${text.slice(0, 500)}`);
  return answer.headers.get("vendure-auth-token") ?? token ?? "";
}

function post(port: number, body: object, token?: string): string {
  const text = JSON.stringify(body);
  const headers = [
    `host: 127.0.0.1:${port}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ];
  return Buffer.from(`POST /shop-api HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${text}`).toString("latin1");
}
