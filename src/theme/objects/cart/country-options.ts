import { countryCodes, countryName } from "../../../pricing/countries.ts";
import { getOrCreate } from "../../../runtime/cache.ts";
import { escapeHtml, SafeHtml } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";

/** Returns an `<option>` for each country, in the render's language. */
export function countryOptions(view: View): SafeHtml {
  const { locale } = view.request;
  const html = getOrCreate(cache, locale, () => {
    const { compare } = new Intl.Collator(locale);
    return countryCodes()
      .map((code) => [code, countryName(code, locale)] as const)
      .toSorted(([, left], [, right]) => compare(left, right))
      .map(
        ([code, name]) =>
          `<option value="${escapeHtml(name)}" data-code="${code}" data-provinces="[]">${escapeHtml(name)}</option>`,
      )
      .join("\n");
  });
  return new SafeHtml(html, "");
}

const cache = new Map<string, string>();
