import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { formOf, nextPath } from "../../bodies/form-posts.ts";
import { referringPath } from "../../wire/referring-path.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, parseTarget, type StoreRequest } from "../../wire/request.ts";

/**
 * `POST /localization`: a theme's language picker. Redirects to the same page in the language of `locale_code` (or
 * `language_code`); an unknown language, and a country, change nothing. Nothing is stored, so no token is needed.
 */
export async function localization({ config }: Pick<Shop, "config">, request: StoreRequest): Promise<Reply> {
  const form = await formOf(request);
  if (form === undefined) throw new Problem("bad_request", "Send a form with locale_code and return_to.");
  const { locales } = config;
  const code = form.locale_code ?? form.language_code;
  const spoken = [locales.default, ...locales.others];
  const known = spoken.find((locale) => typeof code === "string" && locale.toLowerCase() === code.toLowerCase());
  const page = parseTarget(nextPath(form, referringPath(request)), locales);
  const prefix = localePrefix(known ?? page.locale, locales);
  // Without its prefix, "/fr//other.example" would lead to another host.
  const path = page.path.replace(/^\/+/, "/");
  return redirect(303, (path === "/" && prefix !== "" ? prefix : prefix + path) + page.search);
}
