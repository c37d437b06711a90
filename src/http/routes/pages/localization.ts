import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { formOf, nextPath } from "../../bodies/form-posts.ts";
import { referringPath } from "../../wire/referring-path.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, parseTarget, type StoreRequest } from "../../wire/request.ts";

/**
 * Handles `POST /localization`: redirects to the same page in the language that the theme's language picker submits. It
 * needs no token, because nothing is stored. Unknown languages and countries are ignored.
 */
export async function localization({ config }: Pick<Shop, "config">, request: StoreRequest): Promise<Reply> {
  const form = await formOf(request);
  if (form === undefined) throw new Problem("bad_request", "Send a form with locale_code and return_to.");
  const { locales } = config;
  const code = form.locale_code ?? form.language_code;
  const shopLocales = [locales.default, ...locales.others];
  const requestedLocale = shopLocales.find(
    (locale) => typeof code === "string" && locale.toLowerCase() === code.toLowerCase(),
  );
  const page = parseTarget(nextPath(form, referringPath(request)), locales);
  const prefix = localePrefix(requestedLocale ?? page.locale, locales);
  // The prefix is removed, because "/fr//other.example" would lead to another host.
  const path = page.path.replace(/^\/+/, "/");
  return redirect(303, (path === "/" && prefix !== "" ? prefix : prefix + path) + page.search);
}
