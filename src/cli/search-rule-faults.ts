import { checkRulesFolder, describeRuleFault } from "../predictive-search/rules/rules-folder.ts";
import { parseSameStorePath } from "../security/same-store-path.ts";

/** What is wrong with the rules for searches of a store's folder: "search/pins.txt:3: there is no …". */
export async function searchRuleFaults(
  storeDir: string,
  locales: { readonly default: string; readonly others: readonly string[] },
): Promise<readonly string[]> {
  const faults = await checkRulesFolder({
    storeDir,
    locales: [locales.default, ...locales.others],
    parsePath: parseSameStorePath,
  });
  return faults.map(describeRuleFault);
}
