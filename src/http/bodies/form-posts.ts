import { Problem } from "../../problem.ts";
import { parseSameStorePath } from "../../security/same-store-path.ts";
import type { Shop } from "../../shop.ts";
import { errorResponse } from "../error-responses.ts";
import type { Handler } from "../route.ts";
import { ClientDisconnected } from "../wire/read-body.ts";
import { referringPath } from "../wire/referring-path.ts";
import { type Reply, redirect } from "../wire/reply.ts";
import { headerOf, type StoreRequest } from "../wire/request.ts";
import { isForm, parseForm } from "./forms.ts";

/** The fields of a form's body; undefined if the body is not a valid form.  @throws Problem `payload_too_large` */
export async function formOf(request: StoreRequest): Promise<Readonly<Record<string, unknown>> | undefined> {
  const header = headerOf(request, "content-type") ?? "";
  if (!isForm((header.split(";", 1)[0] ?? "").trim().toLowerCase())) return undefined;
  const bytes = await request.readBody();
  try {
    return await parseForm(bytes, header);
  } catch {
    return undefined;
  }
}

/**
 * Answers a browser that submits a form to a write with a page: the cart (303), the checkout if the form's button is
 * named so, or the path in its `return_to`. Scripts get the write's response.
 * @param isOn whether forms are accepted
 */
export function answerForms(shop: Pick<Shop, "process">, isOn: boolean, write: Handler): Handler {
  if (!isOn) return write;
  return (request) =>
    isNavigation(request)
      ? formOf(request).then((form) => showPageAfter(shop, request, write, form ?? {}))
      : write(request);
}

/** Performs a write and redirects to the next page: `asked`, else the cart. An error is a page, too. */
export async function showPageAfter(
  shop: Pick<Shop, "process">,
  request: StoreRequest,
  write: Handler,
  asked: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  try {
    const { headers } = await write(request);
    const cookie = headers["set-cookie"];
    const reply = redirect(303, nextPage(request, asked));
    return cookie === undefined ? reply : { ...reply, headers: { ...reply.headers, "set-cookie": cookie } };
  } catch (error) {
    return errorPage(shop, request, error);
  }
}

/**
 * Answers a browser that submits a form with a page, also if the form is rejected.
 * @param submit returns the next page
 */
export function answerPageForms(shop: Pick<Shop, "process">, submit: Handler): Handler {
  return async (request) => {
    try {
      return await submit(request);
    } catch (error) {
      if (!isNavigation(request)) throw error;
      return errorPage(shop, request, error);
    }
  };
}

/** An error as a page that links back. */
export function errorPage(shop: Pick<Shop, "process">, request: StoreRequest, error: unknown): Reply {
  if (error instanceof ClientDisconnected) throw error;
  return errorResponse(forPeople(error), "page", shop.process.log, request.path, referringPath(request));
}

/**
 * The path to which a form redirects, in the request's language unless the form names another.
 * @param fallback "/cart"
 */
export function nextPath(form: Readonly<Record<string, unknown>>, fallback: string): string {
  const path = typeof form.return_to === "string" ? parseSameStorePath(form.return_to) : undefined;
  return path ?? fallback;
}

function nextPage({ prefix }: StoreRequest, form: Readonly<Record<string, unknown>>): string {
  if (form.checkout !== undefined) return `${prefix}/checkout`;
  return nextPath(form, `${prefix}/cart`);
}

/** Scripts can set the header with the token; a browser that submits a form cannot. */
export function isNavigation(request: StoreRequest): boolean {
  if (headerOf(request, "x-csrf-token") !== undefined) return false;
  const mode = headerOf(request, "sec-fetch-mode");
  if (mode !== undefined) return mode === "navigate";
  const isScript = headerOf(request, "x-requested-with") !== undefined;
  return !isScript && (headerOf(request, "accept")?.includes("text/html") ?? false);
}

/** Shoppers who submit a form cannot set headers. */
function forPeople(error: unknown): unknown {
  if (!(error instanceof Problem) || !error.code.startsWith("csrf_")) return error;
  const message =
    "This page has been open for too long, or your browser rejects cookies: go back, reload the page, and submit it again.";
  return new Problem(error.code, message, [], error.detail);
}
