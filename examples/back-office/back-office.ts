import type { Hooks } from "vitrine";

/**
 * Creates hooks that query another system.
 * @param address base URL of the other system, such as "http://127.0.0.1:8080"
 */
export function backOffice(address: string): Required<Omit<Hooks, "payment">> {
  const post = async (path: string, body: object, signal: AbortSignal): Promise<unknown> => {
    const init = {
      method: "POST",
      body: JSON.stringify(body),
      signal,
      headers: { "content-type": "application/json" },
    };
    const response = await fetch(new URL(path, address), init);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
  return {
    customer: {
      cookies: ["session"],
      async find(request, { signal }) {
        const headers = { cookie: request.headers.get("cookie") ?? "" };
        const response = await fetch(new URL("/me", address), { headers, signal });
        if (response.status === 401) return undefined;
        if (!response.ok) throw new Error(`/me answered ${response.status}`);
        return (await response.json()) as { readonly id: string; readonly email: string };
      },
    },
    shipping: {
      async rates(to, goods, { signal }) {
        const grams = goods.lines.reduce((sum, line) => sum + line.grams * line.quantity, 0);
        const answer = await post("/rates", { to, grams, total: goods.total, locale: goods.locale }, signal);
        return answer as { readonly code: string; readonly name: string; readonly price: number }[];
      },
    },
    price: {
      async unitPrices(lines, { customerId }, { signal }) {
        const skus = lines.map(({ variantId, quantity }) => ({ variantId, quantity }));
        return (await post("/prices", { customerId, lines: skus }, signal)) as Record<string, number>;
      },
    },
    discounts: {
      // This discount, "three for two", needs no other system.
      applying({ lines }) {
        const free = lines.map(({ quantity, price }) => Math.floor(quantity / 3) * price);
        const amount = free.reduce((sum, value) => sum + value, 0);
        return amount === 0 ? [] : [{ title: "Three for two", amount }];
      },
    },
    stock: {
      async levels(variantIds, { signal }) {
        return (await post("/stock", { variantIds }, signal)) as Record<string, number>;
      },
    },
    tax: {
      async percents(to, { lines }, { signal }) {
        const taxed = lines.map(({ productType, taxable }) => ({ productType, taxable }));
        return (await post("/taxes", { to, lines: taxed }, signal)) as {
          readonly lines: number[];
          readonly shipping: number;
        };
      },
    },
  };
}
