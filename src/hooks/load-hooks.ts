import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type CodeGeneration, importDefault } from "../config/merchant-module.ts";
import { SetupError } from "../setup-error.ts";
import type { Hooks } from "./hooks.ts";

/**
 * Imports the hooks module that the settings name. Without a module there are no hooks.
 * @param name path of the module in the store's folder
 * @throws SetupError that names the file and the problem
 */
export async function loadHooks(
  storeDir: string,
  name: string | undefined,
  generation?: CodeGeneration,
): Promise<Hooks> {
  if (name === undefined) return {};
  const file = join(storeDir, name);
  if (!existsSync(file))
    throw new SetupError(`${file}: does not exist. Write the module, or remove the setting "hooks".`);
  const exported = await importDefault(file, 'export the hooks: "export default defineHooks({ … })"', generation);
  const checked = v.safeParse(hooks, exported);
  if (!checked.success) {
    const problems = checked.issues.map((issue) => `${file}: ${v.getDotPath(issue) ?? "the hooks"} ${issue.message}.`);
    throw new SetupError(`${problems.join("\n")} Correct the module and start again.`);
  }
  const own = exported as Hooks;
  // The hooks themselves are not copied, because methods of a class need their instance.
  return Object.fromEntries(Object.keys(known).map((name) => [name, own[name as keyof Hooks]]));
}

const hook = v.function("must be a function");

const origin = v.pipe(
  v.string("must be a text"),
  v.check(
    (written) => /^https?:$/.test(URL.parse(written)?.protocol ?? "") && URL.parse(written)?.origin === written,
    'must be an origin like "https://pay.example", without a path',
  ),
);

const token = /^[\w!#$%&'*+.^`|~-]+$/;

const cookieName = v.pipe(
  v.string("must be a text"),
  v.check((name) => token.test(name), "must be the name of a cookie"),
);

const headerName = v.pipe(
  v.string("must be a text"),
  v.check((name) => token.test(name), "must be the name of a header"),
);

const isThere = ({ received }: { readonly received: string }) =>
  received === "undefined" ? "is missing" : "must be an object";

const known = {
  payment: v.optional(
    v.object(
      {
        origins: v.array(origin, "must be a list of origins"),
        signatureHeader: v.optional(headerName),
        start: hook,
        event: hook,
      },
      isThere,
    ),
  ),
  shipping: v.optional(v.object({ rates: hook }, isThere)),
  tax: v.optional(v.object({ percents: hook }, isThere)),
  price: v.optional(v.object({ unitPrices: hook }, isThere)),
  discounts: v.optional(v.object({ applying: hook }, isThere)),
  stock: v.optional(v.object({ levels: hook }, isThere)),
  customer: v.optional(
    v.object(
      {
        cookies: v.pipe(v.array(cookieName, "must be a list of names"), v.minLength(1, "must name a cookie")),
        find: hook,
      },
      isThere,
    ),
  ),
};

const hooks = v.strictObject(known, ({ expected }) =>
  expected === "never" ? `is no hook (known: ${Object.keys(known).join(", ")})` : "must be an object",
);
