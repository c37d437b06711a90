import { Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import { type Reply, redirect } from "../wire/reply.ts";
import type { LoginVisit } from "./console-page.ts";
import { checkForm } from "./console-session.ts";
import { createLanguageCookie, parseConsoleLanguage } from "./console-texts.ts";
import { readConsolePath } from "./language-menu.ts";

/** Handles `POST /admin/language`: stores the language in a cookie. */
export async function chooseLanguage(shop: Pick<Shop, "config" | "process">, { request }: LoginVisit): Promise<Reply> {
  const form = await checkForm(shop, request, undefined);
  const language = parseConsoleLanguage(form.language);
  if (language === undefined) throw new Problem("bad_request", "Unknown language.");
  return redirect(303, readConsolePath(form.next), { "set-cookie": createLanguageCookie(request, language) });
}
