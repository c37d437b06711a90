import type { ConsoleMessageKey } from "../../console/console-messages.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { errorStatuses } from "../error-responses.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import { type Reply, redirect } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { type ConsolePage, type ConsoleServices, type LoginVisit, limitFieldText } from "./console-page.ts";
import { checkForm, endSession, findLogin, findSession, openSession } from "./console-session.ts";
import { type ConsoleTexts, renderAlert } from "./console-texts.ts";
import { readConsolePath } from "./language-menu.ts";
import { type Markup, type MarkupValue, markup } from "./markup.ts";
import { askForCode, checkCode, type PendingLogin } from "./second-factor.ts";

/** Renders `GET /admin/login`: the login form. */
export async function showLogin(shop: ConsoleServices, { request, texts }: LoginVisit): Promise<ConsolePage> {
  const hint = (await awaitWithDeadline(shop.management.tokens.hasConsoleToken()))
    ? renderTokenHint(texts)
    : texts.get("login.firstLink");
  const nextPath = readConsolePath(request.query.get("next"));
  const isFormExpired = request.query.get("form") === "expired";
  return renderLoginForm(texts, nextPath, { hint, ...(isFormExpired && { error: texts.get("login.expired") }) });
}

/** Handles `POST /admin/login`: exchanges an access token for a session cookie. */
export async function login(shop: ConsoleServices, visit: LoginVisit): Promise<ConsolePage | Reply> {
  const { request, texts } = visit;
  const form = await checkForm(shop, request, undefined);
  const nextPath = readConsolePath(form.next);
  const login = await findLogin(shop, request, limitFieldText(form.token));
  return login === undefined
    ? renderLoginForm(texts, nextPath, rejectLogin(shop, visit, "login.invalid"))
    : continueLogin(shop, visit, { ...login, nextPath });
}

/**
 * Counts a login with a wrong token or code.
 * @param key text of the error, unless there were too many attempts
 */
export function rejectLogin(
  shop: ConsoleServices,
  { request, texts }: LoginVisit,
  key: ConsoleMessageKey,
): { readonly error: string; readonly status: number } {
  // The limit does not prevent guessing, because tokens and codes are too long to guess. It protects the log and the
  // database. A valid token is never rejected.
  return shop.limits.consume("wrong login by address", findAddressBlock(request.client.address), request.now)
    ? { error: texts.get(key), status: errorStatuses.unauthorized[0] }
    : { error: texts.get("tooManyAttempts"), status: errorStatuses.rate_limited[0] };
}

/** Starts the session of a user with a valid access token, or asks for the second factor. */
export async function continueLogin(
  shop: ConsoleServices,
  visit: LoginVisit,
  login: PendingLogin,
): Promise<ConsolePage | Reply> {
  return shop.config.consoleSecondFactor
    ? askForCode(shop, visit, login)
    : startSession(shop, visit.request, login.tokenHash, login.nextPath);
}

/** Handles `POST /admin/login/code`: checks the second factor. */
export async function loginWithCode(shop: ConsoleServices, visit: LoginVisit): Promise<ConsolePage | Reply> {
  const { request } = visit;
  const form = await checkForm(shop, request, undefined);
  const nextPath = readConsolePath(form.next);
  const result = await checkCode(shop, visit, form, nextPath);
  return "tokenHash" in result ? startSession(shop, request, result.tokenHash, nextPath) : result;
}

function startSession(shop: ConsoleServices, request: StoreRequest, tokenHash: string, nextPath: string): Reply {
  return redirect(303, nextPath, { "set-cookie": openSession(shop, request, tokenHash) });
}

/** Handles `POST /admin/logout`: ends the session. */
export async function logout(shop: ConsoleServices, { request }: LoginVisit): Promise<Reply> {
  const session = await findSession(shop, request);
  await checkForm(shop, request, session);
  return redirect(303, "/admin/login", { "set-cookie": await endSession(shop, request, session) });
}

function renderTokenHint(texts: ConsoleTexts): Markup {
  return texts.render("login.hint", { command: markup`<code>vitrine token create --scopes console</code>` });
}

function renderLoginForm(
  texts: ConsoleTexts,
  nextPath: string,
  {
    error,
    status = 200,
    hint = renderTokenHint(texts),
  }: { readonly error?: string; readonly status?: number; readonly hint?: MarkupValue },
): ConsolePage {
  const descriptionIds = error === undefined ? "hint" : "fault hint";
  return {
    title: texts.get("account.login"),
    status,
    body: markup`${error !== undefined && renderAlert(error, "fault")}<form method="post" action="/admin/login" class="panel narrow">
<input type="hidden" name="next" value="${nextPath}">
<label for="token">${texts.get("login.token")}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus aria-describedby="${descriptionIds}">
<p class="muted" id="hint">${hint}</p>
<button>${texts.get("account.login")}</button>
</form>`,
  };
}
