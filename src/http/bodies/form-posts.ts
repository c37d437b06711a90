import { parseSameStorePath } from "../../security/same-store-path.ts";
import type { Shop } from "../../shop.ts";
import { respondToError } from "../error-responses.ts";
import type { Handler } from "../route.ts";
import { ClientDisconnectedError } from "../wire/read-body.ts";
import { readSameStoreReferrer } from "../wire/referrer-path.ts";
import { type Reply, redirect } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { isFormType, parseForm } from "./forms.ts";

/**
 * Returns the fields of a form body, or undefined if the body is not a valid form.
 * @param fileOptions for forms of signed-in users: the maximum size in bytes, and a function that decodes uploaded files.
 * Default: the maximum size for visitors, and the name of each file as its value
 * @throws Problem `payload_too_large`
 */
export async function readFields(
  request: StoreRequest,
  fileOptions?: { readonly maxBytes: number; readonly decodeFile: (bytes: Uint8Array) => string },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const header = request.headers["content-type"] ?? "";
  if (!isFormType(header)) return undefined;
  const bytes = await (fileOptions === undefined
    ? request.readBody()
    : request.readBody(fileOptions.maxBytes, "known"));
  try {
    return await parseForm(bytes, header, fileOptions?.decodeFile);
  } catch {
    return undefined;
  }
}

/**
 * Wraps a handler of write requests so that it also accepts forms that browsers submit. After the write, the response
 * redirects the browser (303): to the checkout if the form was sent to `/checkout` or with the checkout button, else to
 * the path in the form field `return_to` ("back": to the previous page), else to the cart. htmx gets the same response.
 * Other requests of scripts are passed to the handler unchanged.
 * @param isEnabled whether forms are accepted
 */
export function acceptForms(shop: Pick<Shop, "process">, isEnabled: boolean, write: Handler): Handler {
  if (!isEnabled) return write;
  return (request) =>
    showsPage(request)
      ? readFields(request).then(
          (form) => redirectAfterWrite(shop, request, write, form ?? {}),
          (error: unknown) => renderErrorPage(shop, request, error),
        )
      : write(request);
}

/** Performs a write, then redirects to the requested page (default: the cart). Errors are shown as a page. */
export async function redirectAfterWrite(
  shop: Pick<Shop, "process">,
  request: StoreRequest,
  write: Handler,
  form: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  try {
    const { headers } = await write(request);
    const cookie = headers["set-cookie"];
    return redirect(303, parseNextPage(request, form), cookie === undefined ? {} : { "set-cookie": cookie });
  } catch (error) {
    return renderErrorPage(shop, request, error);
  }
}

/**
 * Wraps the handler of a form. If a browser submitted the form without a script, errors are shown as an HTML page.
 * @param handleForm handles the form and returns the next page
 */
export function showErrorsAsPage(shop: Pick<Shop, "process">, handleForm: Handler): Handler {
  return async (request) => {
    try {
      return await handleForm(request);
    } catch (error) {
      if (!isNavigation(request)) throw error;
      return renderErrorPage(shop, request, error);
    }
  };
}

/** Renders an error as a page with a link back. */
export function renderErrorPage(shop: Pick<Shop, "process">, request: StoreRequest, error: unknown): Reply {
  if (error instanceof ClientDisconnectedError) throw error;
  const { locale, prefix, path } = request;
  const returnPath = readSameStoreReferrer(request);
  return respondToError(error, "page", shop.process.log, path, { locale, prefix, returnPath });
}

/**
 * Returns the path to which a form redirects: the form's field `return_to` if it is a path of this store, else
 * `fallback`.
 * @param fallback for example "/cart"
 */
export function parseNextPath(form: Readonly<Record<string, unknown>>, fallback: string): string {
  const path = typeof form.return_to === "string" ? parseSameStorePath(form.return_to) : undefined;
  return path ?? fallback;
}

function parseNextPage(request: StoreRequest, form: Readonly<Record<string, unknown>>): string {
  const { prefix, path } = request;
  if (form.checkout !== undefined || path === "/checkout") return `${prefix}/checkout`;
  const previousPage = form.return_to === "back" ? readSameStoreReferrer(request) : undefined;
  return previousPage ?? parseNextPath(form, `${prefix}/cart`);
}

/** Reports whether a browser submitted the form without a script. Only scripts can set the CSRF header. */
export function isNavigation(request: StoreRequest): boolean {
  if (request.headers["x-csrf-token"] !== undefined) return false;
  const mode = request.headers["sec-fetch-mode"];
  if (mode !== undefined) return mode === "navigate";
  const isScript = request.headers["x-requested-with"] !== undefined;
  return !isScript && (request.headers.accept?.includes("text/html") ?? false);
}

/** Reports whether the response to a form is shown as a page: by a browser, or by htmx, which shows parts of it. */
export function showsPage(request: StoreRequest): boolean {
  return isNavigation(request) || isHtmxForm(request);
}

function isHtmxForm({ path, headers }: StoreRequest): boolean {
  return headers["hx-request"] !== undefined && !/\.js(?:on)?$/.test(path);
}
