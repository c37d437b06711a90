import { hash } from "node:crypto";
import { getCountryName, listCountryCodes } from "../../../pricing/countries.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { replyIfModified } from "../../response-cache.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /services/javascripts/<file>`: serves scripts that define the globals `Currency` and `Countries`, which
 * older themes use.
 */
export function serveStorefrontScript({ config }: Pick<Shop, "config">, request: StoreRequest): Reply {
  const script = scripts.get(request.params.file ?? "");
  if (script === undefined) throw new Problem("not_found", "There is no such script.");
  const body = Buffer.from(script(config));
  return replyIfModified(request, {
    status: 200,
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=600, stale-while-revalidate=86400",
      etag: `"${hash("sha256", body, "base64url").slice(0, 12)}"`,
    },
    body,
    compress: "best",
  });
}

const scripts: ReadonlyMap<string, (config: Shop["config"]) => string> = new Map([
  ["currencies.js", renderCurrencies],
  ["countries.js", renderCountries],
]);

/** Returns the script with currency rates. The shop sells in one currency, so it contains no other rates. */
function renderCurrencies({ currency }: Shop["config"]): string {
  return `var Currency = { rates: ${JSON.stringify({ [currency]: 1 })}, convert: function (amount, from, to) { return (amount * this.rates[from]) / this.rates[to]; } };\n`;
}

/** Returns the script with all countries, with their names in English and in each language of the shop. */
function renderCountries({ locales }: Shop["config"]): string {
  const languages = ["en", locales.default, ...locales.others];
  const names = new Set(listCountryCodes().flatMap((code) => languages.map((locale) => getCountryName(code, locale))));
  const countryRecords = Object.fromEntries([...names].map((name) => [name, { provinces: [], label: "Province" }]));
  return `var Countries = ${JSON.stringify(countryRecords)};\n`;
}
