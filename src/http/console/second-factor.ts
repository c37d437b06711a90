import type { ApiToken } from "../../security/api-token.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { errorStatuses } from "../error-responses.ts";
import { renderQrCode } from "../qr-code.ts";
import { type ConsolePage, type ConsoleServices, type LoginVisit, limitFieldText } from "./console-page.ts";
import { renderAlert } from "./console-texts.ts";
import { type Markup, markup } from "./markup.ts";
import { createRecoveryCodes, createTotpSecret, findTotpStep, formatTotpUrl, hashRecoveryCode } from "./totp.ts";

const SECOND_FACTOR_PURPOSE = "console second factor";
/** Milliseconds in which the user must enter the code after the access token was accepted. */
const CODE_ENTRY_TIMEOUT_MS = 600_000;

/** A login that is not complete: the access token was accepted, but the code of the second factor is missing. */
export interface PendingLogin {
  readonly token: ApiToken;
  readonly tokenHash: string;
  readonly nextPath: string;
}

/** Renders the form for a code. At the first login with a token, also shows the secret and the recovery codes. */
export async function askForCode(shop: ConsoleServices, visit: LoginVisit, login: PendingLogin): Promise<ConsolePage> {
  const secondFactor = await awaitWithDeadline(shop.console.secondFactors.find(login.token.id));
  if (secondFactor !== undefined) return renderCodeForm(shop, visit, login);
  const { newId } = shop.process;
  return renderEnrollment(shop, visit, login, { secret: createTotpSecret(newId), codes: createRecoveryCodes(newId) });
}

/**
 * Handles the form for a code.
 * @returns the login if the code is right, otherwise the form with an error
 */
export async function checkCode(
  shop: ConsoleServices,
  visit: LoginVisit,
  form: Readonly<Record<string, unknown>>,
  nextPath: string,
): Promise<{ readonly tokenHash: string } | ConsolePage> {
  const { request, texts } = visit;
  const tokenHash = shop.keys.verify(SECOND_FACTOR_PURPOSE, limitFieldText(form.pending, 400), request.now)?.value;
  const token =
    tokenHash === undefined ? undefined : await awaitWithDeadline(shop.management.tokens.find(tokenHash, request.now));
  if (tokenHash === undefined || token?.scopes.includes("console") !== true)
    return {
      title: texts.get("account.login"),
      status: errorStatuses.unauthorized[0],
      body: markup`${renderAlert(texts.get("login.expired"))}<p><a href="/admin/login">${texts.get("account.login")}</a></p>`,
    };
  const login = { token, tokenHash, nextPath };
  // Each attempt counts, so that the six digits cannot be guessed.
  if (!shop.limits.consume("second factor by token", token.id, request.now))
    return renderCodeForm(shop, visit, login, texts.get("tooManyAttempts"), 429);
  const { secondFactors } = shop.console;
  const secondFactor = await awaitWithDeadline(secondFactors.find(token.id));
  const code = limitFieldText(form.code, 50);
  if (secondFactor === undefined) return enrollSecondFactor(shop, visit, login, form);
  const step = findTotpStep(secondFactor.secret, code, request.now);
  const isCodeCorrect =
    step === undefined
      ? await awaitWithDeadline(secondFactors.useRecoveryCode(token.id, hashRecoveryCode(code)))
      : await awaitWithDeadline(secondFactors.useTimeStep(token.id, step));
  return isCodeCorrect ? { tokenHash } : renderCodeForm(shop, visit, login, texts.get("login.wrongCode"), 401);
}

async function enrollSecondFactor(
  shop: ConsoleServices,
  visit: LoginVisit,
  login: PendingLogin,
  form: Readonly<Record<string, unknown>>,
): Promise<{ readonly tokenHash: string } | ConsolePage> {
  const { request, texts } = visit;
  const secret = limitFieldText(form.secret, 32);
  const codes = limitFieldText(form.codes, 200).split(" ").filter(Boolean);
  // The server writes the secret into the form, so a form without a valid secret was not sent by this page.
  if (!/^[A-Z2-7]{32}$/.test(secret) || codes.length === 0) return askForCode(shop, visit, login);
  const step = findTotpStep(secret, limitFieldText(form.code, 50), request.now);
  if (step === undefined)
    return renderEnrollment(shop, visit, login, { secret, codes }, texts.get("login.wrongNewCode"));
  const secondFactor = { secret, recoveryHashes: codes.map(hashRecoveryCode) };
  const isAdded = await awaitWithDeadline(
    shop.console.secondFactors.add(login.token.id, secondFactor, { step, now: request.now }),
  );
  return isAdded ? { tokenHash: login.tokenHash } : askForCode(shop, visit, login);
}

/** Renders a code in groups of four characters. */
function renderCode(code: string): Markup {
  return markup`<code>${code.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>`;
}

function renderFields(
  shop: ConsoleServices,
  { request: { now } }: LoginVisit,
  { tokenHash, nextPath }: PendingLogin,
): Markup {
  const pendingToken = shop.keys.sign(SECOND_FACTOR_PURPOSE, tokenHash, now + CODE_ENTRY_TIMEOUT_MS);
  return markup`<input type="hidden" name="pending" value="${pendingToken}"><input type="hidden" name="next" value="${nextPath}">`;
}

const renderInput = (label: string, error: string | undefined, hint: string, isFocused: boolean): Markup =>
  markup`<label for="code">${label}</label><input id="code" name="code" autocomplete="one-time-code" required maxlength="40"${isFocused && markup` autofocus`}${error !== undefined && markup` aria-describedby="fault"`}><p class="muted">${hint}</p>`;

function renderCodeForm(
  shop: ConsoleServices,
  visit: LoginVisit,
  login: PendingLogin,
  error?: string,
  status = 200,
): ConsolePage {
  const { texts } = visit;
  return {
    title: texts.get("login.enterCode"),
    status,
    body: markup`${error !== undefined && renderAlert(error, "fault")}<form method="post" action="/admin/login/code" class="panel narrow">${renderFields(shop, visit, login)}${renderInput(texts.get("login.code"), error, texts.get("login.recoveryHint"), true)}<button>${texts.get("account.login")}</button></form>`,
  };
}

function renderEnrollment(
  shop: ConsoleServices,
  visit: LoginVisit,
  login: PendingLogin,
  { secret, codes }: { readonly secret: string; readonly codes: readonly string[] },
  error?: string,
): ConsolePage {
  const { texts } = visit;
  const account = login.token.name === "" ? login.token.id : login.token.name;
  // The focus would scroll a small screen past the QR code, which is needed first.
  const isFieldFocused = error !== undefined;
  const url = formatTotpUrl(secret, { issuer: shop.config.name, account });
  return {
    title: texts.get("login.setUp"),
    status: error === undefined ? 200 : errorStatuses.unauthorized[0],
    body: markup`${error !== undefined && renderAlert(error, "fault")}<form method="post" action="/admin/login/code" class="panel narrow">${renderFields(shop, visit, login)}<input type="hidden" name="secret" value="${secret}"><input type="hidden" name="codes" value="${codes.join(" ")}">
<h2>${texts.get("login.scan")}</h2><p>${texts.get("login.scanHint")}</p>
${renderQrCode(url, texts.get("login.qrCode"), markup` class="code"`)}
<p>${texts.render("login.key", { key: renderCode(secret) })}</p>
<h2>${texts.get("login.saveCodes")}</h2><p>${texts.get("login.saveCodesHint")}</p>
<ul>${codes.map((code) => markup`<li>${renderCode(code)}</li>`)}</ul>
<h2>${texts.get("login.confirm")}</h2>${renderInput(texts.get("login.newCode"), error, texts.get("login.newCodeHint"), isFieldFocused)}<button>${texts.get("account.login")}</button></form>`,
  };
}
