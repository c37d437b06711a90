import type { Config } from "../../config/settings.ts";
import type { CheckContext } from "./check-context.ts";
import { findEntryByUrl } from "./check-references.ts";

/** Reports links and forms whose URL names a page or catalog entry that the shop does not have. */
export function checkLinks(context: CheckContext, locales: Config["locales"]): void {
  const languages = new Set([locales.default, ...locales.others]);
  for (const file of context.theme.folder.texts.keys()) {
    if (!file.endsWith(".liquid") || file.startsWith("assets/")) continue;
    const text = context.markup(file);
    for (const { index, 0: match, 1: attribute, 2: url = "" } of text.matchAll(linkPattern)) {
      const location = context.locate(file, index + match.length - url.length, text);
      const [, firstSegment = "", remainder] = /^\/([^/?#]*)(\/[^?#]*)?/.exec(url) ?? [];
      const path = languages.has(firstSegment) ? (remainder ?? "/") : url;
      const entry = findEntryByUrl(path);
      const subject = attribute === "action" ? "this form is sent to" : "this link leads to";
      if (!hasPage(path))
        context.add(
          "warning",
          "unknown-address",
          location,
          `${subject} "${url}", which is not in this shop: remove it, or choose a URL of the shop`,
        );
      else if (entry !== undefined && context.store !== undefined)
        context.add(
          "warning",
          "unknown-entry",
          location,
          `${subject} the ${entry.kind} "${entry.handle}", which is not in the catalog: choose another, or add it to catalog/`,
          { entry },
        );
    }
  }
}

/** Matches an attribute whose URL contains no Liquid: `href="/pages/about"`, `action="/contact"`. */
const linkPattern = /(?<![\w-])(href|action)\s*=\s*["'](\/(?!\/)[^"'{}\s]*)(?=["'])/g;

/** Returns whether a page or endpoint of a shop can have this path. */
function hasPage(url: string): boolean {
  const path = url.replace(/[?#].*$/, "").replace(/(?<=.)\/$/, "");
  return path === "/" || servedPathPattern.test(path);
}

/** Path prefixes that a shop serves. */
const servedPathPattern = new RegExp(
  `^/(?:${[
    "(?:account|assets|blogs|checkout|collections|media|products|vitrine)(?:/.*)?",
    "(?:bundles|discount|gift_cards|orders|pages|policies|variants)/.+",
    "cart(?:\\.js(?:on)?|/.+)?",
    "search(?:\\.json|/suggest(?:\\.json|/cart\\.json)?)?",
    "recommendations/products(?:\\.json)?",
    "(?:products|collections)\\.json",
    "(?:api|services/javascripts)/.+",
    "contact|localization|password|favicon\\.ico|robots\\.txt|agents\\.md|llms(?:-full)?\\.txt|sitemap\\.xml",
  ].join("|")})$`,
);
