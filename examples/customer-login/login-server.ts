import { createServer, type Server } from "node:http";
import { signIn, signOut } from "./customer-cookie.ts";

/**
 * Creates a custom login next to Vitrine. The proxy in front of both sends writes (`POST`) below `/account/`, and below
 * `/fr/account/` in other languages, to this server and everything else to the store. `POST /account/login` takes a
 * form with `email` and `password`, and `POST /account/logout` takes nothing.
 * @param options.findCustomer returns the customer's id if the password is correct. Compare hashes (scrypt, argon2),
 * and limit the rate of attempts
 */
export function createLogin(options: {
  readonly key: string;
  readonly origin: string;
  readonly now: () => number;
  readonly findCustomer: (email: string, password: string) => Promise<string | undefined>;
}): Server {
  const isSecure = options.origin.startsWith("https:");
  return createServer(async (request, response) => {
    const answer = (status: number, headers: Readonly<Record<string, string>>): void => {
      response.writeHead(status, { "cache-control": "no-store", ...headers }).end();
      request.resume();
    };
    if (request.method !== "POST") return answer(405, { allow: "POST" });
    // Without this check, another site could sign a shopper in to an account of the attacker.
    if (request.headers.origin !== options.origin) return answer(403, {});
    // Pages in other languages have a prefix, such as "/fr/account/login".
    const [, prefix = "", operation] = /^(\/[\w-]+)?\/account\/(login|logout)$/.exec(request.url ?? "") ?? [];
    if (operation === undefined) return answer(404, {});
    if (operation === "logout")
      return answer(303, { "set-cookie": signOut({ isSecure }), location: prefix === "" ? "/" : prefix });

    let body = "";
    for await (const chunk of request) if (body.length < 10_000) body += chunk;
    const form = new URLSearchParams(body);
    // Field names of `{% form 'customer_login' %}` in themes.
    const field = (name: string): string => form.get(`customer[${name}]`) ?? form.get(name) ?? "";
    const customerId = await options.findCustomer(field("email"), field("password"));
    // The page that required the login, such as "/account". Pages of other sites are ignored.
    const page = URL.parse(form.get("return_url") ?? form.get("return_to") ?? `${prefix}/cart`, options.origin);
    const target = page?.origin === options.origin ? page : new URL(`${prefix}/cart`, options.origin);
    if (customerId === undefined) {
      const query = new URLSearchParams({ customer_login_failed: "true", return_url: target.pathname + target.search });
      return answer(303, { location: `${prefix}/account/login?${query}` });
    }
    const cookie = signIn(customerId, options.key, { now: options.now(), isSecure });
    answer(303, { "set-cookie": cookie, location: target.href });
  });
}
