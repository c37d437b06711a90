import { readFileSync } from "node:fs";
import { describeMissingRates, hasUndecidedInvoices, listMissingInvoiceSettings } from "../config/missing-settings.ts";
import type { Config } from "../config/settings.ts";
import { describeUntrustedProxy } from "../config/untrusted-proxy.ts";
import type { SetupProblems } from "../console/console.ts";
import { findMailProblem } from "../events/mail/mail-problem.ts";

/** Milliseconds for which the result of the test login to the mail server is cached. */
const MAIL_CHECK_LIFETIME_MS = 60_000;
/** Maximum milliseconds of each step of the test login, because a console page waits for the result. */
const MAX_SMTP_STEP_MS = 3_000;

/**
 * Returns a function that reports problems of a store's settings, mail server, proxy, and catalog.
 * @param getCurrentConfig returns the settings that apply now
 * @param now returns milliseconds since 1970
 */
export function createSetupChecks(
  storeDir: string,
  getCurrentConfig: () => Config,
  now: () => number,
): () => Promise<SetupProblems> {
  let cachedMailCheck:
    | { readonly smtp: string; readonly checkedAt: number; readonly problem: Promise<SetupProblems["mail"]> }
    | undefined;
  const checkMail = ({ mail: { smtp }, events }: Config): Promise<SetupProblems["mail"]> => {
    if (smtp === undefined) return Promise.resolve(undefined);
    if (cachedMailCheck?.smtp !== smtp || Math.abs(now() - cachedMailCheck.checkedAt) > MAIL_CHECK_LIFETIME_MS)
      cachedMailCheck = {
        smtp,
        checkedAt: now(),
        problem: findMailProblem(smtp, Math.min(events.timeout, MAX_SMTP_STEP_MS)),
      };
    return cachedMailCheck.problem;
  };
  return async () => {
    const config = getCurrentConfig();
    return {
      hasNoRates: describeMissingRates(config) !== undefined,
      hasUndecidedInvoices: hasUndecidedInvoices(config),
      missingInvoiceSettings: listMissingInvoiceSettings(config),
      mail: await checkMail(config),
      proxy: describeUntrustedProxy(storeDir, config),
      exampleSkus: readExampleSkus(),
    };
  };
}

let exampleSkus: readonly string[] | undefined;

/** Returns the SKUs of the products that `vitrine init` creates. */
function readExampleSkus(): readonly string[] {
  exampleSkus ??= [...readFileSync(exampleFile, "utf8").matchAll(/"sku":"([^"]+)"/g)].map(([, sku]) => String(sku));
  return exampleSkus;
}

const exampleFile = new URL("../../examples/starter/catalog/products.jsonl", import.meta.url);
