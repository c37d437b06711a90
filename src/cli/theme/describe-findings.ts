import type { Finding } from "../../theme/check/finding.ts";
import { THEMES_FOLDER } from "../../theme/files/store-themes.ts";
import { formatCount, formatFinding } from "../commands/check.ts";

/** Maximum number of errors that are listed. */
const MAX_ERRORS = 20;

/** Rules whose findings do not change the pages that shoppers see. */
const ignoredRules: ReadonlySet<string> = new Set(["unused-snippet", "sass", "inline-code", "market"]);

/**
 * Lists the parts of a theme that do not work: each error, and one line for each kind of warning.
 * @param name name of the theme
 */
export function describeFindings(findings: readonly Finding[], name: string): readonly string[] {
  const addThemeFolder = (finding: Finding): Finding => ({
    ...finding,
    places: finding.places.map((location) => ({ ...location, file: `${THEMES_FOLDER}/${name}/${location.file}` })),
  });
  const errors = findings.filter(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const lines = [
    "",
    `Check: ${formatCount(errors.length, "error")}, ${formatCount(warnings.length, "warning")}. "vitrine check --theme ${name}" lists them.`,
    ...errors.slice(0, MAX_ERRORS).map((error) => `  ${formatFinding(addThemeFolder(error))}`),
    ...(errors.length > MAX_ERRORS ? [`  … and ${errors.length - MAX_ERRORS} more errors`] : []),
  ];
  const findingsByRule = Map.groupBy(
    warnings.filter(({ rule }) => !ignoredRules.has(rule)),
    ({ rule }) => rule,
  );
  for (const [rule, [firstFinding, ...otherFindings]] of findingsByRule) {
    if (firstFinding === undefined) continue;
    lines.push(`  ${formatFinding(addThemeFolder(firstFinding))}`);
    if (otherFindings.length > 0) lines.push(`    and ${otherFindings.length} more of the kind ${rule}`);
  }
  return lines;
}
