import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Config } from "../config/settings.ts";
import { listMailNames, parseMailTemplates } from "../events/mail/templates.ts";
import type { Finding } from "../theme/check/finding.ts";
import { suggestName } from "../theme/check/nearest.ts";
import { getLiveThemesFile, hasTheme, MAIN_THEME_NAME, readLiveThemes } from "../theme/files/store-themes.ts";

/**
 * Checks the files outside catalog, theme, and search rules: the module of the hooks, the live theme, and email
 * templates. The module is not loaded, because an image is built without the variables that it may read.
 * @param name path of the store for messages
 */
export async function checkStoreFiles(name: string, storeDir: string, config: Config): Promise<readonly Finding[]> {
  return [
    ...findMissingHooks(name, storeDir, config),
    ...findMissingTheme(name, storeDir),
    ...(await checkMailTemplates(name, storeDir)),
  ];
}

function findMissingHooks(name: string, storeDir: string, { hooks }: Config): readonly Finding[] {
  if (hooks === undefined || existsSync(join(storeDir, hooks))) return [];
  const message = `hooks names ${hooks}, which does not exist: write the module, or remove the setting`;
  return [{ rule: "missing-hooks", severity: "error", message, places: [{ file: join(name, "vitrine.config.ts") }] }];
}

/** Reports a live theme that is missing, instead of which the server shows the default theme. */
export function findMissingTheme(name: string, storeDir: string): readonly Finding[] {
  const [liveTheme] = readLiveThemes(storeDir);
  if (liveTheme === MAIN_THEME_NAME || hasTheme(storeDir, liveTheme)) return [];
  const message = `names the theme "${liveTheme}", which does not exist: copy it to themes/, or make another theme live with "vitrine theme publish"`;
  const file = join(name, relative(storeDir, getLiveThemesFile(storeDir)));
  return [{ rule: "missing-theme", severity: "error", message, places: [{ file }] }];
}

async function checkMailTemplates(name: string, storeDir: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const mailNames = listMailNames();
  for (const { file, error } of await parseMailTemplates(join(storeDir, "notifications"))) {
    const path = join(name, "notifications", file);
    const [mailName = ""] = file.split(".");
    const isKnown = mailNames.includes(mailName);
    const isUsed = isKnown && /^[^.]+(?:\.[\w-]+)?\.(?:txt|html)\.liquid$/.test(file);
    if (!isUsed) {
      const suggestion = isKnown ? "" : suggestName(mailName, mailNames);
      findings.push({
        rule: "email-template",
        severity: "warning",
        message: `no email has this name${suggestion || `: emails are ${mailNames.join(", ")}, and files end in .txt.liquid or .html.liquid`}`,
        places: [{ file: path }],
      });
    } else if (error !== undefined)
      findings.push({
        rule: "email-template",
        severity: "error",
        message: error.detail,
        places: [{ file: path, ...(error.place && { line: error.place.line, column: error.place.column }) }],
      });
  }
  return findings;
}
