import type { SavedSettings } from "../../../config/settings-editor.ts";
import type { Shop } from "../../../shop.ts";
import { NumberLiteral, readRequestBody } from "../../bodies/body.ts";
import { parseIfMatch } from "../../if-match.ts";
import { sendTestMail } from "../../send-test-mail.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

type SettingsServices = BearerServices & Pick<Shop, "management">;

/** Handles `GET /api/settings`: returns the settings that can be changed while the server runs. */
export async function readSettings(shop: SettingsServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "settings:read");
  return createSettingsReply(await shop.management.settings.read());
}

/** Handles `POST /api/settings`: changes the settings file by a JSON merge patch. */
export async function changeSettings(shop: SettingsServices, request: StoreRequest): Promise<Reply> {
  const { id, name } = await requireToken(shop, request, "settings:write");
  const patch = await readRequestBody(request, { forms: false });
  const revisions = parseIfMatch(request)?.map((tag) => tag.replaceAll('"', ""));
  const savedSettings = await shop.management.settings.change(convertNumbers(patch), {
    by: { source: "api", token: { id, name } },
    now: request.now,
    ...(revisions === undefined ? {} : { revisions }),
  });
  return createSettingsReply(savedSettings);
}

/** Handles `POST /api/settings/test-email`: sends a test email to the merchant. */
export async function sendTestEmail(shop: SettingsServices, request: StoreRequest): Promise<Reply> {
  const { id, name } = await requireToken(shop, request, "settings:write");
  const { to, isAccepted, answer } = await sendTestMail(shop, request, { source: "api", token: { id, name } });
  return createJsonReply(200, { to, accepted: isAccepted, answer });
}

function createSettingsReply({ settings, revision, readOnlyReason, computed }: SavedSettings): Reply {
  return createJsonReply(
    200,
    { settings, revision, read_only: readOnlyReason ?? null, computed },
    { etag: `"${revision}"` },
  );
}

/** Converts number literals, such as the tax rate 8.1, to numbers. */
function convertNumbers(group: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const convert = (value: unknown): unknown => {
    if (value instanceof NumberLiteral) return Number(value.source);
    if (Array.isArray(value)) return value.map(convert);
    return typeof value === "object" && value !== null ? convertNumbers(value as typeof group) : value;
  };
  return Object.fromEntries(Object.entries(group).map(([key, value]) => [key, convert(value)]));
}
