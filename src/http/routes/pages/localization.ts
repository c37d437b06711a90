import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { parseNextPath, readFields } from "../../bodies/form-posts.ts";
import { parseReferrerPath } from "../../wire/referrer-path.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, parseTarget, type StoreRequest } from "../../wire/request.ts";

/**
 * Handles `POST /localization`, the language picker of a theme: redirects to the same page in the selected language. It
 * needs no CSRF token, because it stores nothing. Unknown languages are ignored.
 */
export async function changeLocale({ config }: Pick<Shop, "config">, request: StoreRequest): Promise<Reply> {
  const form = await readFields(request);
  if (form === undefined) throw new Problem("bad_request", "Send a form with locale_code and return_to.");
  const { locales } = config;
  const code = form.locale_code ?? form.language_code;
  const shopLocales = [locales.default, ...locales.others];
  const requestedLocale = shopLocales.find(
    (locale) => typeof code === "string" && locale.toLowerCase() === code.toLowerCase(),
  );
  const page = parseTarget(parseNextPath(form, parseReferrerPath(request)), locales);
  const prefix = formatLocalePrefix(requestedLocale ?? page.locale, locales);
  // Only one leading slash remains, because browsers would open another host for "//other.example".
  const path = page.path.replace(/^\/+/, "/");
  return redirect(303, (path === "/" && prefix !== "" ? prefix : prefix + path) + page.search);
}
