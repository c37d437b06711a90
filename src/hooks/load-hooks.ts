import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { importModule, type MerchantCode } from "../config/merchant-module.ts";
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
  codeVersion?: MerchantCode,
): Promise<Hooks> {
  if (name === undefined) return {};
  const file = join(storeDir, name);
  if (!existsSync(file))
    throw new SetupError(`${file}: does not exist. Write the module, or remove the setting "hooks".`);
  const exportedHooks = await importModule(file, 'export the hooks: "export default defineHooks({ … })"', codeVersion);
  const validation = v.safeParse(hooksSchema, exportedHooks);
  if (!validation.success) {
    const problems = validation.issues.map(
      (issue) => `${file}: ${v.getDotPath(issue) ?? "the hooks"} ${issue.message}.`,
    );
    throw new SetupError(`${problems.join("\n")} Correct the module and start again.`);
  }
  const typedHooks = exportedHooks as Hooks;
  // The hooks themselves are not copied, because methods of a class need their instance.
  return Object.fromEntries(Object.keys(hookSchemas).map((name) => [name, typedHooks[name as keyof Hooks]]));
}

const hookSchema = v.function("must be a function");

const originSchema = v.pipe(
  v.string("must be a string"),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? "") && URL.parse(text)?.origin === text,
    'must be an origin like "https://pay.example", without a path',
  ),
);

const TOKEN_PATTERN = /^[\w!#$%&'*+.^`|~-]+$/;

const cookieNameSchema = v.pipe(
  v.string("must be a string"),
  v.check((name) => TOKEN_PATTERN.test(name), "must be the name of a cookie"),
);

const headerNameSchema = v.pipe(
  v.string("must be a string"),
  v.check((name) => TOKEN_PATTERN.test(name), "must be the name of a header"),
);

const formatPresenceMessage = ({ received }: { readonly received: string }) =>
  received === "undefined" ? "is missing" : "must be an object";

const hookSchemas = {
  payment: v.optional(
    v.object(
      {
        origins: v.array(originSchema, "must be a list of origins"),
        signatureHeader: v.optional(headerNameSchema),
        start: hookSchema,
        event: hookSchema,
      },
      formatPresenceMessage,
    ),
  ),
  shipping: v.optional(v.object({ rates: hookSchema }, formatPresenceMessage)),
  tax: v.optional(v.object({ percents: hookSchema }, formatPresenceMessage)),
  price: v.optional(v.object({ unitPrices: hookSchema }, formatPresenceMessage)),
  discounts: v.optional(v.object({ applying: hookSchema }, formatPresenceMessage)),
  stock: v.optional(v.object({ levels: hookSchema }, formatPresenceMessage)),
  customer: v.optional(
    v.object(
      {
        cookies: v.pipe(v.array(cookieNameSchema, "must be a list of names"), v.minLength(1, "must name a cookie")),
        find: hookSchema,
      },
      formatPresenceMessage,
    ),
  ),
};

const hooksSchema = v.strictObject(hookSchemas, ({ expected }) =>
  expected === "never" ? `is not a hook (known: ${Object.keys(hookSchemas).join(", ")})` : "must be an object",
);
