import { escapeHtml, SafeHtml } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";

/** `<option>`s of all countries, in the render's language. */
export function countryOptions(view: View): SafeHtml {
  const { locale } = view.request;
  let html = kept.get(locale);
  if (html === undefined) {
    const names = new Intl.DisplayNames([locale], { type: "region" });
    const { compare } = new Intl.Collator(locale);
    html = codes()
      .map((code) => [code, names.of(code) ?? code] as const)
      .toSorted(([, left], [, right]) => compare(left, right))
      .map(
        ([code, name]) =>
          `<option value="${escapeHtml(name)}" data-code="${code}" data-provinces="[]">${escapeHtml(name)}</option>`,
      )
      .join("\n");
    kept.set(locale, html);
  }
  return new SafeHtml(html, "");
}

const kept = new Map<string, string>();

/** Two letters that Intl knows as a country of today; groups and reserved codes are none. */
function codes(): string[] {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const none = new Set("EU EZ UN QO XA XB ZZ AC CP CQ DG EA IC TA".split(" "));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter(
      (code) => !none.has(code) && names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code,
    );
}
