import { createServer, type Server } from "node:http";
import { signIn, signOut } from "./customer-cookie.ts";

/**
 * Creates a custom login next to Vitrine. The proxy in front of both sends writes (`POST`) below `/account/` to this
 * server and everything else to the store. `POST /account/login` takes a form with `email` and `password`, and `POST /account/logout`
 * takes nothing.
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
    if (request.url === "/account/logout") return answer(303, { "set-cookie": signOut({ isSecure }), location: "/" });
    if (request.url !== "/account/login") return answer(404, {});

    let body = "";
    for await (const chunk of request) if (body.length < 10_000) body += chunk;
    const form = new URLSearchParams(body);
    // Field names of `{% form 'customer_login' %}` in themes.
    const field = (name: string): string => form.get(`customer[${name}]`) ?? form.get(name) ?? "";
    const customerId = await options.findCustomer(field("email"), field("password"));
    if (customerId === undefined) return answer(303, { location: "/account/login?customer_login_failed=true" });
    const cookie = signIn(customerId, options.key, { now: options.now(), isSecure });
    answer(303, { "set-cookie": cookie, location: "/cart" });
  });
}
