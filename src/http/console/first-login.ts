import { createToken, hashToken, isTokenText } from "../../security/api-token.ts";
import { FIRST_LOGIN_PATH, firstTokenScopes, isFirstLoginCode } from "../../security/first-login.ts";
import { awaitWithDeadline } from "../deadline.ts";
import type { Reply } from "../wire/reply.ts";
import { type ConsolePage, type ConsoleServices, type LoginVisit, limitFieldText } from "./console-page.ts";
import { checkForm } from "./console-session.ts";
import { renderAlert } from "./console-texts.ts";
import { continueLogin, rejectLogin } from "./login.ts";
import { markup } from "./markup.ts";

/**
 * Handles `GET /admin/first-login`: shows a new access token. It is stored only when the user submits the form, so that
 * a preview of the link does not use it up.
 */
export async function showFirstLogin(shop: ConsoleServices, visit: LoginVisit): Promise<ConsolePage> {
  const { request } = visit;
  const code = limitFieldText(request.query.get("code"), MAX_CODE_LENGTH);
  const isValid =
    isFirstLoginCode(shop.keys, code, request.now) &&
    !(await awaitWithDeadline(shop.management.tokens.hasConsoleToken()));
  return isValid ? renderTokenForm(shop, visit, code) : rejectCode(shop, visit);
}

/** Handles `POST /admin/first-login`: stores the access token, unless the console has one, and logs in. */
export async function createFirstToken(shop: ConsoleServices, visit: LoginVisit): Promise<ConsolePage | Reply> {
  const { request } = visit;
  const form = await checkForm(shop, request, undefined);
  const text = limitFieldText(form.token);
  if (!isFirstLoginCode(shop.keys, limitFieldText(form.code, MAX_CODE_LENGTH), request.now) || !isTokenText(text))
    return rejectCode(shop, visit);
  const tokenHash = hashToken(text);
  const token = await awaitWithDeadline(
    shop.management.tokens.addFirst({
      ...{ hash: tokenHash, scopes: firstTokenScopes, createdAt: request.now },
      name: visit.texts.get("login.first"),
    }),
  );
  if (token === undefined) return rejectCode(shop, visit);
  return continueLogin(shop, visit, { token, tokenHash, nextPath: "/admin" });
}

/** Maximum length of a signed code. */
const MAX_CODE_LENGTH = 400;

function rejectCode(shop: ConsoleServices, visit: LoginVisit): ConsolePage {
  const { texts } = visit;
  const { error, status } = rejectLogin(shop, visit, "login.firstExpired");
  return {
    title: texts.get("login.first"),
    status,
    body: markup`${renderAlert(error)}<p><a href="/admin/login">${texts.get("account.login")}</a></p>`,
  };
}

function renderTokenForm(shop: ConsoleServices, { texts }: LoginVisit, code: string): ConsolePage {
  const token = createToken(shop.process.newId() + shop.process.newId());
  // Browsers offer to save the value of a password field, so the token is also the value of one.
  return {
    title: texts.get("login.first"),
    body: markup`<form method="post" action="${FIRST_LOGIN_PATH}" class="panel narrow">
<input type="hidden" name="code" value="${code}">
<p id="hint">${texts.get("login.firstHint")}</p>
<p><code>${token}</code></p>
<label for="token">${texts.get("login.token")}</label>
<input id="token" name="token" type="password" value="${token}" autocomplete="new-password" readonly aria-describedby="hint">
<button autofocus>${texts.get("account.login")}</button>
</form>`,
  };
}
