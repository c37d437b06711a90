import type { Finding } from "../../theme/check/finding.ts";
import { formatCount, formatFinding } from "../commands/check.ts";

/** Maximum number of errors that are listed. */
const MAX_ERRORS = 20;

/** Rules whose findings do not change the pages that shoppers see. */
const harmlessRules: ReadonlySet<string> = new Set(["unused-snippet", "unknown-menu", "sass", "inline-code", "market"]);

/** Describes the menus that the shop lacks, with an example of the setting. Empty without such menus. */
export function describeMenus(findings: readonly Finding[]): readonly string[] {
  const menus = findings.filter(({ rule }) => rule === "unknown-menu");
  if (menus.length === 0) return [];
  return [
    "",
    'To do: the theme names menus that the shop lacks. Add them to "menus" in vitrine.config.ts, such as',
    '  menus: { "<name>": [{ title: "Shop all", url: "/collections/all" }] }',
    ...menus.map((menu) => `  ${formatFinding(addThemeName(menu))}`),
  ];
}

/** Lists the parts of a theme that do not work: each error, and one line for each kind of warning. */
export function describeFindings(findings: readonly Finding[]): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const lines = [
    "",
    `Check: ${formatCount(errors.length, "error")}, ${formatCount(warnings.length, "warning")}. "vitrine check" lists them.`,
    ...errors.slice(0, MAX_ERRORS).map((error) => `  ${formatFinding(addThemeName(error))}`),
    ...(errors.length > MAX_ERRORS ? [`  … and ${errors.length - MAX_ERRORS} more errors`] : []),
  ];
  const byRule = Map.groupBy(
    warnings.filter(({ rule }) => !harmlessRules.has(rule)),
    ({ rule }) => rule,
  );
  for (const [rule, [first, ...others]] of byRule) {
    if (first === undefined) continue;
    lines.push(`  ${formatFinding(addThemeName(first))}`);
    if (others.length > 0) lines.push(`    and ${others.length} more of the kind ${rule}`);
  }
  return lines;
}

function addThemeName(finding: Finding): Finding {
  return { ...finding, places: finding.places.map((place) => ({ ...place, file: `theme/${place.file}` })) };
}
