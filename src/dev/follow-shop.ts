import type { Shop } from "../shop.ts";
import type { Development } from "./development.ts";

/** Milliseconds between looks: what is saved is in the page before one has turned to it. */
const LOOK = 150;

/** Looks for changes of the theme, the catalogue and the rules of the search though nobody asks for a page. @param onCatalog told that the catalogue is otherwise  @returns stops it */
export function followShop(
  shop: Pick<Shop, "theme" | "snapshot" | "searchRules">,
  development: Development,
  onCatalog: () => void,
): () => void {
  let { revision: catalogue } = shop.snapshot().catalog;
  let { revision: rules } = shop.searchRules();
  const timer = setInterval(() => {
    // The theme tells of a change by itself.
    shop.theme.revision();
    const now = shop.snapshot().catalog.revision;
    if (now !== catalogue) {
      development.reloadPages();
      onCatalog();
    }
    catalogue = now;
    const held = shop.searchRules().revision;
    if (held !== rules) development.forgetRuleFaults();
    rules = held;
  }, LOOK).unref();
  return () => clearInterval(timer);
}
