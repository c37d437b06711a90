import type { ApiToken } from "../../security/api-token.ts";
import { raceDeadline } from "../deadline.ts";
import { errorStatuses } from "../error-responses.ts";
import { renderQrCode } from "../qr-code.ts";
import type { StoreRequest } from "../wire/request.ts";
import { type ConsolePage, type ConsoleServices, limitFieldText } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";
import { createRecoveryCodes, createTotpSecret, findTotpStep, formatTotpUrl, hashRecoveryCode } from "./totp.ts";

const SECOND_FACTOR_PURPOSE = "console second factor";
/** Milliseconds in which the user must enter the code after the access token was accepted. */
const CODE_ENTRY_TIMEOUT_MS = 600_000;

/** A login that is not complete: the access token was accepted, but the code of the second factor is missing. */
interface PendingLogin {
  readonly token: ApiToken;
  readonly tokenHash: string;
  readonly nextPath: string;
}

/** Renders the form for a code. At the first login with a token, also shows the secret and the recovery codes. */
export async function askForCode(
  shop: ConsoleServices,
  request: StoreRequest,
  login: PendingLogin,
): Promise<ConsolePage> {
  const factor = await raceDeadline(shop.console.secondFactors.find(login.token.id));
  if (factor !== undefined) return renderCodeForm(shop, request, login);
  const { newId } = shop.process;
  return renderEnrollment(shop, request, login, { secret: createTotpSecret(newId), codes: createRecoveryCodes(newId) });
}

/**
 * Handles the form for a code.
 * @returns the login if the code is right, otherwise the form with an error
 */
export async function checkCode(
  shop: ConsoleServices,
  request: StoreRequest,
  form: Readonly<Record<string, unknown>>,
  nextPath: string,
): Promise<{ readonly tokenHash: string } | ConsolePage> {
  const tokenHash = shop.keys.verify(SECOND_FACTOR_PURPOSE, limitFieldText(form.pending, 400), request.now)?.value;
  const token =
    tokenHash === undefined ? undefined : await raceDeadline(shop.management.tokens.find(tokenHash, request.now));
  if (tokenHash === undefined || token?.scopes.includes("console") !== true)
    return {
      title: "Log in",
      status: errorStatuses.unauthorized[0],
      body: renderError("This form has expired. Log in again.", true),
    };
  const login = { token, tokenHash, nextPath };
  // Each attempt counts, so that the six digits cannot be guessed.
  if (!shop.limits.consume("second factor by token", token.id, request.now))
    return renderCodeForm(shop, request, login, "Too many attempts. Try again in a minute.", 429);
  const { secondFactors } = shop.console;
  const factor = await raceDeadline(secondFactors.find(token.id));
  const code = limitFieldText(form.code, 50);
  if (factor === undefined) return enrollFactor(shop, request, login, form);
  const step = findTotpStep(factor.secret, code, request.now);
  const isCodeCorrect =
    step === undefined
      ? await raceDeadline(secondFactors.useRecoveryCode(token.id, hashRecoveryCode(code)))
      : await raceDeadline(secondFactors.useStep(token.id, step));
  return isCodeCorrect
    ? { tokenHash }
    : renderCodeForm(shop, request, login, "This code is wrong, or was used before.", 401);
}

async function enrollFactor(
  shop: ConsoleServices,
  request: StoreRequest,
  login: PendingLogin,
  form: Readonly<Record<string, unknown>>,
): Promise<{ readonly tokenHash: string } | ConsolePage> {
  const secret = limitFieldText(form.secret, 32);
  const codes = limitFieldText(form.codes, 200).split(" ").filter(Boolean);
  // The server writes the secret into the form, so a form without a valid secret was not sent by this page.
  if (!/^[A-Z2-7]{32}$/.test(secret) || codes.length === 0) return askForCode(shop, request, login);
  const step = findTotpStep(secret, limitFieldText(form.code, 50), request.now);
  if (step === undefined)
    return renderEnrollment(shop, request, login, { secret, codes }, "This code is wrong. Enter the current one.");
  const factor = { secret, recoveryHashes: codes.map(hashRecoveryCode) };
  const isAdded = await raceDeadline(
    shop.console.secondFactors.add(login.token.id, factor, { step, now: request.now }),
  );
  return isAdded ? { tokenHash: login.tokenHash } : askForCode(shop, request, login);
}

function renderError(error: string | undefined, hasLink = false): Markup {
  return markup`${error !== undefined && markup`<p class="fault" role="alert" id="fault">${error}</p>`}${hasLink && markup`<p><a href="/admin/login">Log in</a></p>`}`;
}

function renderFields(shop: ConsoleServices, { now }: StoreRequest, { tokenHash, nextPath }: PendingLogin): Markup {
  const pendingToken = shop.keys.sign(SECOND_FACTOR_PURPOSE, tokenHash, now + CODE_ENTRY_TIMEOUT_MS);
  return markup`<input type="hidden" name="pending" value="${pendingToken}"><input type="hidden" name="next" value="${nextPath}">`;
}

const renderInput = (label: string, error: string | undefined, hint: string): Markup =>
  markup`<label for="code">${label}</label><input id="code" name="code" autocomplete="one-time-code" required autofocus maxlength="40"${error !== undefined && markup` aria-describedby="fault"`}><p class="muted">${hint}</p>`;

function renderCodeForm(
  shop: ConsoleServices,
  request: StoreRequest,
  login: PendingLogin,
  error?: string,
  status = 200,
): ConsolePage {
  return {
    title: "Enter code",
    status,
    body: markup`${renderError(error)}<form method="post" action="/admin/login/code" class="panel narrow">${renderFields(shop, request, login)}${renderInput("Code of your authenticator app", error, "Without your device, enter a recovery code.")}<button>Log in</button></form>`,
  };
}

function renderEnrollment(
  shop: ConsoleServices,
  request: StoreRequest,
  login: PendingLogin,
  { secret, codes }: { readonly secret: string; readonly codes: readonly string[] },
  error?: string,
): ConsolePage {
  const account = login.token.name === "" ? login.token.id : login.token.name;
  const url = formatTotpUrl(secret, { issuer: shop.config.name, account });
  return {
    title: "Set up second factor",
    status: error === undefined ? 200 : errorStatuses.unauthorized[0],
    body: markup`${renderError(error)}<form method="post" action="/admin/login/code" class="panel narrow">${renderFields(shop, request, login)}<input type="hidden" name="secret" value="${secret}"><input type="hidden" name="codes" value="${codes.join(" ")}">
<h2>1. Scan</h2><p>Scan this code with an authenticator app, or enter the key.</p>
${renderQrCode(url, "QR code of the key", markup` class="code"`)}
<p>Key: <code>${secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code></p>
<h2>2. Save recovery codes</h2><p>Each replaces one code of the app. They are not shown again.</p>
<ul>${codes.map((code) => markup`<li><code>${code.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code></li>`)}</ul>
<h2>3. Confirm</h2>${renderInput("Code of the app", error, "Six digits, which change every 30 seconds.")}<button>Log in</button></form>`,
  };
}
