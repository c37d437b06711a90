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

/** Creates the schema of a name in HTTP.  @param owner "cookie" or "header" */
function createNameSchema(owner: string) {
  const message = `must be the name of a ${owner}`;
  return v.pipe(v.string("must be a string"), v.regex(/^[\w!#$%&'*+.^`|~-]+$/, message));
}

function defineHook<Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.object(entries, ({ received }) => (received === "undefined" ? "is missing" : "must be an object"));
  return v.optional(schema);
}

const hookSchemas = {
  payment: defineHook({
    origins: v.array(originSchema, "must be a list of origins"),
    signatureHeader: v.optional(createNameSchema("header")),
    start: hookSchema,
    event: hookSchema,
  }),
  shipping: defineHook({ rates: hookSchema }),
  tax: defineHook({ percents: hookSchema }),
  price: defineHook({ unitPrices: hookSchema }),
  discounts: defineHook({ applying: hookSchema }),
  stock: defineHook({ levels: hookSchema }),
  customer: defineHook({
    cookies: v.pipe(
      v.array(createNameSchema("cookie"), "must be a list of names"),
      v.minLength(1, "must name a cookie"),
    ),
    find: hookSchema,
  }),
};

const hooksSchema = v.strictObject(hookSchemas, ({ expected }) =>
  expected === "never" ? `is not a hook (known: ${Object.keys(hookSchemas).join(", ")})` : "must be an object",
);
