import { Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { Handler } from "../route.ts";
import { redirect } from "../wire/reply.ts";
import { addConsoleHeaders } from "./console-page.ts";
import { checkForm } from "./console-session.ts";
import { createLanguageCookie, parseConsoleLanguage } from "./console-texts.ts";
import { readConsolePath } from "./language-menu.ts";

/** Handles `POST /admin/language`: stores the language in a cookie. */
export function chooseLanguage(shop: Pick<Shop, "config" | "process">): Handler {
  return addConsoleHeaders(shop, async (request) => {
    const form = await checkForm(shop, request, undefined);
    const language = parseConsoleLanguage(form.language);
    if (language === undefined) throw new Problem("bad_request", "Unknown language.");
    const reply = redirect(303, readConsolePath(form.next));
    return { ...reply, headers: { ...reply.headers, "set-cookie": createLanguageCookie(request, language) } };
  });
}
