import type { Console } from "../../console/console.ts";
import { getTextDirection } from "../../messages/text-direction.ts";
import { Problem, type ProblemCode } from "../../problem.ts";
import { truncateText } from "../../runtime/truncate-text.ts";
import type { TokenScope } from "../../security/api-token.ts";
import type { Shop } from "../../shop.ts";
import { errorStatuses, respondToError, retrySeconds } from "../error-responses.ts";
import type { Handler } from "../route.ts";
import { createHtmlReply, type Reply, redirect } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { type ConsoleSession, checkForm, findSession } from "./console-session.ts";
import { type ConsoleTexts, describeProblem, explainScope, findTexts, renderAlert } from "./console-texts.ts";
import { readConsolePath, renderLanguageMenu } from "./language-menu.ts";
import { type Markup, type MarkupValue, markup } from "./markup.ts";

export type ConsoleServices = Pick<
  Shop,
  "config" | "snapshot" | "process" | "checkouts" | "management" | "limits" | "keys" | "hooks"
> & { readonly console: Console };

/** Content of a console page, without header and navigation. */
export interface ConsolePage {
  readonly title: string;
  readonly body: Markup;
  /** HTTP status. Default: 200. */
  readonly status?: number;
}

/** Request of a user who is not logged in. */
export interface LoginVisit {
  readonly request: StoreRequest;
  readonly texts: ConsoleTexts;
}

/** Request of a signed-in user. */
export interface ConsoleVisit extends LoginVisit {
  readonly session: ConsoleSession;
}

/** Form of a signed-in user, with its fields. */
export interface FormVisit extends ConsoleVisit {
  readonly form: Readonly<Record<string, unknown>>;
}

/** Returns a handler for a page that requires a login. Visitors without a session are redirected to the login form. */
export function createPageHandler(
  shop: ConsoleServices,
  render: (visit: ConsoleVisit) => ConsolePage | Reply | Promise<ConsolePage | Reply>,
): Handler {
  return createConsoleHandler(shop, async ({ request, texts }) => {
    const session = await findSession(shop, request);
    if (session === undefined) return redirectToLogin({ nextPath: request.path + request.search });
    const visit = { request, texts, session };
    return renderDocument(shop, visit, await render(visit));
  });
}

/** Returns a handler for a console form.  @param write returns the response page, or the path of the next page */
export function createFormHandler(
  shop: ConsoleServices,
  write: (visit: FormVisit) => Promise<ConsolePage | string>,
): Handler {
  return createConsoleHandler(shop, async ({ request, texts }) => {
    const session = await findSession(shop, request);
    if (session === undefined) return redirectToLogin({ nextPath: findFormPage(request), isFormExpired: true });
    const visit = { request, texts, session };
    const result = await write({ ...visit, form: await checkForm(shop, request, session) });
    return typeof result === "string" ? redirect(303, result, headers) : renderDocument(shop, visit, result);
  });
}

/** Returns a handler that does not check the login. Errors have the console's security headers, too. */
export function createConsoleHandler(
  shop: Pick<Shop, "config" | "process">,
  handle: (visit: LoginVisit) => Promise<ConsolePage | Reply>,
): Handler {
  return async (request) => {
    const visit = { request, texts: findTexts(shop, request) };
    try {
      return renderDocument(shop, visit, await handle(visit));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const reply = respondToError(error, "page", shop.process.log, "/admin");
      const page = renderDocument(shop, visit, renderError(visit.texts, error, reply.status));
      return { ...page, headers: { ...reply.headers, ...page.headers } };
    }
  };
}

/**
 * Renders the page of a rejected form with its error.
 * @param renderPage renders the page with an alert
 * @param messages explanations for errors with these codes. Default: the message of the error
 * @throws the error if it does not concern the values of the form
 */
export async function renderRejection(
  texts: ConsoleTexts,
  error: unknown,
  renderPage: (alert: Markup) => Promise<ConsolePage>,
  messages: Readonly<Partial<Record<ProblemCode, MarkupValue>>> = {},
): Promise<ConsolePage> {
  if (!(error instanceof Problem) || error.code === "insufficient_scope") throw error;
  const page = await renderPage(renderAlert(messages[error.code] ?? describeProblem(texts, error)));
  return { ...page, status: errorStatuses[error.code][0] };
}

/** Renders an error that concerns the entire request. */
function renderError(texts: ConsoleTexts, error: Problem, status: number): ConsolePage {
  const title =
    status === 404 ? "errors.notFound" : status === 502 || status === 503 ? "errors.unavailable" : "errors.rejected";
  const message =
    error.code === "insufficient_scope"
      ? explainScope(texts, error.detail.scope as TokenScope)
      : describeProblem(texts, error);
  const link = markup`<p><a href="/admin">${texts.get("nav.home")}</a></p>`;
  return { title: texts.get(title), status, body: markup`<p>${message}</p>${link}` };
}

/** Renders a complete page.  @param session undefined if no user is signed in */
function renderDocument(
  { config }: Pick<Shop, "config">,
  { request, texts, session }: LoginVisit & Partial<Pick<ConsoleVisit, "session">>,
  page: ConsolePage | Reply,
): Reply {
  if (!("title" in page)) return page;
  const { title, body, status = 200 } = page;
  const document = markup`<!doctype html>
<html lang="${texts.language}" dir="${getTextDirection(texts.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title} - ${config.name}</title>
<link rel="stylesheet" href="/admin/console.css">
<script src="/admin/console.js" defer></script>
</head>
<body>
<a class="skip" href="#main">${texts.get("skipToContent")}</a>
<header class="top">
<p class="top__name">${config.name} <span class="muted">${texts.get("console")}</span></p>
${session === undefined ? "" : renderNavigation(request.path, session, texts)}${renderLanguageMenu(texts, request)}
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return createHtmlReply(
    status,
    document.text,
    status === errorStatuses.rate_limited[0]
      ? { ...headers, "retry-after": String(retrySeconds.rate_limited) }
      : headers,
  );
}

/** Renders a form with its button, fields, and CSRF token. */
export function renderForm(
  session: ConsoleSession,
  action: string,
  content: MarkupValue,
  className = "",
  enctype: "application/x-www-form-urlencoded" | "multipart/form-data" = "application/x-www-form-urlencoded",
): Markup {
  return markup`<form method="post" action="${action}" class="${className}"${enctype === "multipart/form-data" && markup` enctype="${enctype}"`}><input type="hidden" name="csrf" value="${session.csrfToken}">${content}</form>`;
}

/** Returns the text of a form field or query parameter, without control characters. */
export function limitFieldText(value: unknown, maxLength = 300): string {
  return typeof value === "string"
    ? truncateText(value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim(), maxLength).toWellFormed()
    : "";
}

/** Parses a number in a form field, query, or path, such as a revision; undefined if it is missing or invalid. */
export function parseNumber(value: unknown): number | undefined {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Response headers of the console: pages are not cached, framed, or indexed. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const navigationItems = [
  ["/admin", "nav.home"],
  ["/admin/orders", "nav.orders"],
  ["/admin/products", "nav.products"],
  ["/admin/discounts", "nav.discounts"],
  ["/admin/reports", "nav.reports"],
  ["/admin/searches", "nav.searches"],
  ["/admin/try", "nav.try"],
  ["/admin/rules", "nav.rules"],
  ["/admin/contacts", "nav.contacts"],
  ["/admin/events", "nav.events"],
  ["/admin/settings", "nav.settings"],
  ["/admin/system", "nav.system"],
] as const;

/** Pages without an entry in the navigation, and the pages that link to them. */
const parentPaths: Readonly<Record<string, string>> = {
  "/admin/csv": "/admin/products",
  "/admin/changes": "/admin/products",
};

function renderNavigation(path: string, session: ConsoleSession, texts: ConsoleTexts): Markup {
  const menuPath = parentPaths[path] ?? path;
  const currentPath = navigationItems.findLast(
    ([start]) => menuPath === start || menuPath.startsWith(`${start}/`),
  )?.[0];
  const links = navigationItems.map(
    ([to, name]) =>
      markup`<li><a href="${to}"${to === currentPath ? markup` aria-current="page"` : ""}>${texts.get(name)}</a></li>`,
  );
  const logoutForm = renderForm(
    session,
    "/admin/logout",
    markup`<button class="plain">${texts.get("account.logout")}</button>`,
  );
  return markup`<nav aria-label="${texts.get("console")}"><ul>${links}</ul></nav>${logoutForm}`;
}

function redirectToLogin({
  nextPath,
  isFormExpired = false,
}: {
  readonly nextPath: string;
  readonly isFormExpired?: boolean;
}): Reply {
  const hasReturnPath = nextPath !== "/admin" && nextPath.length <= MAX_RETURN_URL_LENGTH;
  const parameters = [
    ...(hasReturnPath ? [`next=${encodeURIComponent(nextPath)}`] : []),
    ...(isFormExpired ? ["form=expired"] : []),
  ];
  return redirect(303, ["/admin/login", parameters.join("&")].filter(Boolean).join("?"), headers);
}

/** Returns the path of the console page that contains a submitted form. */
function findFormPage({ headers: { referer = "" }, client, origin }: StoreRequest): string {
  const page = URL.parse(referer);
  // A proxy may change the host. On this machine, the console may have another host than the public URL.
  const isOwnPage = page !== null && [client.host, URL.parse(origin)?.host].includes(page.host);
  return readConsolePath(isOwnPage ? page.pathname + page.search : undefined);
}

/** Maximum length of a URL to which a login returns. A header of several kilobytes exceeds the limits of proxies. */
const MAX_RETURN_URL_LENGTH = 1_000;
