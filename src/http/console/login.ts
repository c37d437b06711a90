import { parseSameStorePath } from "../../security/same-store-path.ts";
import type { Handler } from "../route.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import { type Reply, redirect } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import {
  addConsoleHeaders,
  type ConsolePage,
  type ConsoleServices,
  limitFieldText,
  renderDocument,
} from "./console-page.ts";
import { checkForm, endSession, findLogin, findSession, openSession } from "./console-session.ts";
import { markup } from "./markup.ts";
import { askForCode, checkCode } from "./second-factor.ts";

/** Renders `GET /admin/login`: the login form. */
export function createLoginHandler(shop: ConsoleServices): Handler {
  return addConsoleHeaders(shop, async (request) =>
    renderDocument(shop, request, undefined, renderLoginForm(readNextPath(request.query.get("next")))),
  );
}

/** Handles `POST /admin/login`: exchanges an access token for a session cookie. */
export function login(shop: ConsoleServices): Handler {
  return addConsoleHeaders(shop, async (request) => {
    const form = await checkForm(shop, request, undefined);
    const nextPath = readNextPath(form.next);
    const login = await findLogin(shop, request, limitFieldText(form.token));
    if (login === undefined) {
      // The limit does not prevent guessing, because tokens are too long to guess. It protects the log and the
      // database. A valid token is never rejected.
      const isAllowed = shop.limits.consume(
        "wrong login by address",
        findAddressBlock(request.client.address),
        request.now,
      );
      const page = isAllowed
        ? renderLoginForm(nextPath, "This token is invalid, revoked, or lacks the console scope.", 401)
        : renderLoginForm(nextPath, "Too many attempts. Try again in a minute.", 429);
      return renderDocument(shop, request, undefined, page);
    }
    if (!shop.config.consoleSecondFactor) return startSession(shop, request, login.tokenHash, nextPath);
    return renderDocument(shop, request, undefined, await askForCode(shop, request, { ...login, nextPath }));
  });
}

/** Handles `POST /admin/login/code`: checks the second factor. */
export function loginWithCode(shop: ConsoleServices): Handler {
  return addConsoleHeaders(shop, async (request) => {
    const form = await checkForm(shop, request, undefined);
    const nextPath = readNextPath(form.next);
    const result = await checkCode(shop, request, form, nextPath);
    return "tokenHash" in result
      ? startSession(shop, request, result.tokenHash, nextPath)
      : renderDocument(shop, request, undefined, result);
  });
}

function startSession(shop: ConsoleServices, request: StoreRequest, tokenHash: string, nextPath: string): Reply {
  const reply = redirect(303, nextPath);
  return { ...reply, headers: { ...reply.headers, "set-cookie": openSession(shop, request, tokenHash) } };
}

/** Handles `POST /admin/logout`: ends the session. */
export function logout(shop: ConsoleServices): Handler {
  return addConsoleHeaders(shop, async (request) => {
    const session = await findSession(shop, request);
    await checkForm(shop, request, session);
    const reply = redirect(303, "/admin/login");
    return { ...reply, headers: { ...reply.headers, "set-cookie": await endSession(shop, request, session) } };
  });
}

function renderLoginForm(nextPath: string, error?: string, status = 200): ConsolePage {
  const alert = error && markup`<p class="fault" role="alert" id="fault">${error}</p>`;
  const descriptionIds = error === undefined ? "hint" : "fault hint";
  return {
    title: "Log in",
    status,
    body: markup`${alert}<form method="post" action="/admin/login" class="panel narrow">
<input type="hidden" name="next" value="${nextPath}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus aria-describedby="${descriptionIds}">
<p class="muted" id="hint">To create a token, run <code>vitrine token create --scopes console</code>.</p>
<button>Log in</button>
</form>`,
  };
}

/** Returns the path of the console page to open after the login. */
function readNextPath(value: unknown): string {
  const path = typeof value === "string" ? parseSameStorePath(value) : undefined;
  return path !== undefined && /^\/admin(?:[/?]|$)/.test(path) ? path : "/admin";
}
