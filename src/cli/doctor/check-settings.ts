import { relative } from "node:path";
import type { Config } from "../../config/settings.ts";
import { describeUntrustedProxy } from "../../config/untrusted-proxy.ts";
import { findMailProblem } from "../../events/mail/mail-problem.ts";
import { loadHooks } from "../../hooks/load-hooks.ts";
import { checkRulesFolder } from "../../predictive-search/rules/rules-folder.ts";
import type { Database } from "../../storage/database.ts";
import { readUndeliveredEvents } from "../../storage/events/event-rows.ts";
import { hasConsoleToken } from "../../storage/token-store.ts";
import { removeExistingEntries } from "../../theme/check/finding.ts";
import { getThemeDir, readLiveThemes } from "../../theme/files/store-themes.ts";
import { findMissingTheme } from "../check-store-files.ts";
import { findThemeProblems } from "../commands/check.ts";
import { type CheckResult, createSuccess, createWarning } from "./diagnosis.ts";

export function checkProxy(storeDir: string, config: Config): CheckResult {
  const advice = describeUntrustedProxy(storeDir, config);
  return advice === undefined ? createSuccess() : createWarning(advice);
}

/** Loads the module of the hooks, as the server does at its start.  @throws SetupError if it cannot be used */
export async function checkHooks(storeDir: string, { hooks }: Config): Promise<CheckResult> {
  await loadHooks(storeDir, hooks);
  return createSuccess(hooks);
}

/** Checks the theme for errors. The catalog is not read, so products and pages that a theme names are not checked. */
export function checkThemeFiles(storeDir: string, config: Config): CheckResult {
  const folder = relative(storeDir, getThemeDir(storeDir, readLiveThemes(storeDir)[0]));
  const findings = removeExistingEntries(
    [...findMissingTheme("", storeDir), ...findThemeProblems("", storeDir, folder, config)],
    () => true,
  );
  const [firstFinding, ...otherErrors] = findings.filter(({ severity }) => severity === "error");
  if (firstFinding === undefined) return createSuccess();
  const [location] = firstFinding.places;
  return createWarning(
    `${location?.file}${location?.line === undefined ? "" : `:${location.line}`}: ${firstFinding.message}${otherErrors.length > 0 ? `, and ${otherErrors.length} more errors` : ""}. Run "vitrine check" for details.`,
  );
}

export async function checkSearchRules(storeDir: string, config: Config): Promise<CheckResult> {
  const [firstError, ...otherErrors] = await checkRulesFolder(storeDir, config.locales);
  if (firstError === undefined) return createSuccess();
  const otherCountNote = otherErrors.length > 0 ? ` ${otherErrors.length} more: run "vitrine check".` : "";
  return createWarning(`${firstError}. Correct the line.${otherCountNote}`);
}

/** Connects to the mail server and logs in, without sending a message. */
export async function checkMail({ mail, events }: Config): Promise<CheckResult> {
  if (mail.smtp === undefined)
    return mail.from === undefined
      ? createSuccess("off")
      : createWarning(
          "mail.from is set, but mail.smtp is not, so no email is sent: set the environment variable that mail.smtp reads, or remove mail.from.",
        );
  const problem = await findMailProblem(mail.smtp, events.timeout);
  if (problem === undefined) return createSuccess(new URL(mail.smtp).host);
  const reason = problem.message.replace(/\.?$/, "");
  return createWarning(
    `${problem.host} does not accept email: ${reason}. Check host, port, user, and password in mail.smtp; "smtps://" is for port 465.`,
  );
}

/** Reports how to log in to the console for the first time. */
export async function checkConsole(database: Database): Promise<CheckResult> {
  return (await hasConsoleToken(database))
    ? createSuccess()
    : createSuccess("nobody has logged in yet; open the link that the server prints when it starts");
}

/** Reports the number of events that are no longer delivered, because too many attempts have failed. */
export async function checkEvents(database: Database): Promise<CheckResult> {
  let invalidCount = 0;
  for await (const page of readUndeliveredEvents(database))
    invalidCount += page.filter(({ state }) => state === "dead").length;
  if (invalidCount === 0) return createSuccess();
  return createWarning(
    `${invalidCount} ${invalidCount === 1 ? "delivery was" : "deliveries were"} given up: see the reasons with "vitrine events list", then use "vitrine events retry".`,
  );
}
