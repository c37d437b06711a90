import { getCountryName, listCountryCodes } from "../../../pricing/countries.ts";
import { listProvinces } from "../../../pricing/provinces.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { createScriptFile, createScriptReply } from "./client-script.ts";

/**
 * Handles `GET /services/javascripts/<file>`: serves scripts that define the globals `Currency` and `Countries`, which
 * older themes use.
 */
export function serveStorefrontScript({ config }: Pick<Shop, "config">, request: StoreRequest): Reply {
  const { file = "" } = request.params;
  const script = scripts.get(file);
  if (script === undefined) throw new Problem("not_found", "There is no such script.");
  return createScriptReply(request, file, createScriptFile(script(config)));
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
  const records = listCountryCodes().flatMap((code) => {
    const record = { provinces: listProvinces(code, "en").map(({ name }) => name), label: "Province" };
    return languages.map((locale) => [getCountryName(code, locale), record] as const);
  });
  return `var Countries = ${JSON.stringify(Object.fromEntries(records))};\n`;
}
