import type { SettingsActor, TestMailResult } from "../config/settings-editor.ts";
import { Problem } from "../problem.ts";
import type { Shop } from "../shop.ts";
import type { StoreRequest } from "./wire/request.ts";

/**
 * Sends a test mail to the merchant.
 * @throws Problem `rate_limited`, or `validation_failed` if the settings name no mail server
 */
export async function sendTestMail(
  shop: Pick<Shop, "limits" | "management">,
  { now }: Pick<StoreRequest, "now">,
  by: SettingsActor,
): Promise<TestMailResult> {
  if (!shop.limits.consume("test email by token", by.token.id, now))
    throw new Problem("rate_limited", "Too many test emails. Try again in a minute.");
  return shop.management.settings.sendTestMail({ by, now });
}
