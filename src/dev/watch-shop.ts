import { type PollLoop, poll } from "../runtime/poll.ts";
import type { Shop } from "../shop.ts";
import type { DevelopmentMode } from "./development.ts";

/** Milliseconds between polls, short enough that a change is visible when the author switches to the browser. */
const POLL_INTERVAL_MS = 150;

/**
 * Polls for changes of the theme, the catalog, and the search rules, so that changes appear without a request.
 * @param onCatalogChange called after each change of the catalog
 */
export function pollShopChanges(
  shop: Pick<Shop, "theme" | "snapshot" | "process">,
  development: DevelopmentMode,
  onCatalogChange: () => void,
): PollLoop {
  let { revision: catalogRevision } = shop.snapshot().catalog;
  let { revision: rulesRevision } = shop.snapshot().rules;
  return poll({ name: "watching the shop", intervalMs: POLL_INTERVAL_MS, log: shop.process.log }, async () => {
    // Reading the revision causes the theme to check its files and to report changes.
    shop.theme.revision();
    const newRevision = shop.snapshot().catalog.revision;
    if (newRevision !== catalogRevision) {
      development.reloadPages();
      onCatalogChange();
    }
    catalogRevision = newRevision;
    const newRulesRevision = shop.snapshot().rules.revision;
    if (newRulesRevision !== rulesRevision) development.clearRuleErrors();
    rulesRevision = newRulesRevision;
  });
}
