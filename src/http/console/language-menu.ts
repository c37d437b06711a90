import { consoleLanguages } from "../../console/console-messages.ts";
import { Problem } from "../../problem.ts";
import { capitalize } from "../../runtime/capitalize.ts";
import { parseSameStorePath } from "../../security/same-store-path.ts";
import type { Shop } from "../../shop.ts";
import { type Reply, redirect } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { checkForm } from "./console-session.ts";
import { type ConsoleTexts, createLanguageCookie, parseConsoleLanguage } from "./console-texts.ts";
import { type Markup, markup } from "./markup.ts";

/** Renders the menu of the console's languages, each by its own name. */
export function renderLanguageMenu(texts: ConsoleTexts, request: StoreRequest): Markup {
  languageNames ??= createLanguageNames();
  const currentName = languageNames.get(texts.language) ?? texts.language;
  const items = Array.from(
    languageNames,
    ([language, name]) =>
      markup`<li><button name="language" value="${language}" lang="${language}" class="plain"${language === texts.language && markup` aria-current="true"`}>${name}</button></li>`,
  );
  const label = texts.get("actions.named", {
    action: texts.get("labels.language"),
    name: currentName,
  });
  const nextPath = request.path + request.search;
  return markup`<details class="menu"><summary aria-label="${label}">${currentName}</summary><form method="post" action="/admin/language"><input type="hidden" name="next" value="${nextPath}"><ul>${items}</ul></form></details>`;
}

/** Handles `POST /admin/language`: stores the language in a cookie. */
export async function chooseLanguage(
  shop: Pick<Shop, "config" | "process">,
  { request }: { readonly request: StoreRequest },
): Promise<Reply> {
  const form = await checkForm(shop, request, undefined);
  const language = parseConsoleLanguage(form.language);
  if (language === undefined) throw new Problem("bad_request", "Unknown language.");
  return redirect(303, readConsolePath(form.next), { "set-cookie": createLanguageCookie(request, language) });
}

/** Returns a path from a form if it is a console page, otherwise the path of the home page. */
export function readConsolePath(value: unknown): string {
  const path = typeof value === "string" ? parseSameStorePath(value) : undefined;
  return path !== undefined && /^\/admin(?:[/?]|$)/.test(path) ? path : "/admin";
}

/** Returns the name of a language in that language, such as "Deutsch". */
function getLanguageName(language: string): string {
  return capitalize(new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language, language);
}

/** Names by language, sorted. Created for the first page, because each thread would start 10 ms later. */
let languageNames: ReadonlyMap<string, string> | undefined;

function createLanguageNames(): ReadonlyMap<string, string> {
  return new Map(
    consoleLanguages
      .map((language) => [language, getLanguageName(language)] as const)
      .toSorted(([, a], [, b]) => a.localeCompare(b, "en")),
  );
}
