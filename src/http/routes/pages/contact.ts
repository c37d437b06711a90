import { formatArticlePath } from "../../../catalog/content.ts";
import type { Contact } from "../../../inbox/inbox.ts";
import { getMessages } from "../../../messages/messages.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { type ContactForm, createRejectedForm, parseContactForm } from "../../bodies/contact-form.ts";
import { isNavigation, parseNextPath, readFields, renderErrorPage } from "../../bodies/form-posts.ts";
import { errorCodeOf } from "../../error-responses.ts";
import { checkCsrf } from "../../sessions/csrf-session.ts";
import { findAddressBlock } from "../../wire/address-block.ts";
import { parseReferrerPath } from "../../wire/referrer-path.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { parseTarget, type StoreRequest } from "../../wire/request.ts";
import { type PageServices, renderPage } from "./page.ts";

export type ContactServices = PageServices & Pick<Shop, "inbox" | "limits">;

/**
 * Handles `POST /contact`: stores a contact form or newsletter subscription. Then it redirects to the page with
 * `?contact_posted=true` or `?customer_posted=true`.
 */
export async function handleContactForm(shop: ContactServices, request: StoreRequest): Promise<Reply> {
  const submittedForm = await readForm(shop, request);
  const page = parseNextPath(submittedForm, parseReferrerPath(request));
  return replyOrShowForm(shop, request, { submittedForm, page }, async () => {
    const form = parseContactForm(submittedForm);
    await saveForm(shop, request, form, page);
    return redirect(303, formatSuccessPage(page, form.kind === "newsletter" ? "customer_posted" : "contact_posted"));
  });
}

/**
 * Handles `POST /blogs/<blog>/<article>/comments`: stores a comment. It is published after the merchant approves it.
 */
export async function handleCommentForm(shop: ContactServices, request: StoreRequest): Promise<Reply> {
  const { blog = "", handle = "" } = request.params;
  if (!shop.config.comments || shop.snapshot().catalog.article(blog, handle) === undefined)
    throw new Problem("not_found", "There is no such article.");
  const submittedForm = { ...(await readForm(shop, request)), form_type: "new_comment" };
  const page = request.prefix + formatArticlePath({ blog, handle });
  return replyOrShowForm(shop, request, { submittedForm, page }, async () => {
    await saveForm(shop, request, parseContactForm(submittedForm), page);
    return redirect(303, formatSuccessPage(page, "comment_posted"));
  });
}

async function readForm(shop: ContactServices, request: StoreRequest): Promise<Form> {
  await checkCsrf(shop, request, true);
  const submittedForm = await readFields(request);
  if (submittedForm === undefined) throw new Problem("bad_request", "Submit the form of the page.");
  return submittedForm;
}

type Form = Readonly<Record<string, unknown>>;

/**
 * Runs `handleWrite` and returns its response. If the form is rejected, shows its page again with the input and the
 * errors.
 * @throws the error of `handleWrite` if a script sent the form or the page does not exist
 */
async function replyOrShowForm(
  shop: ContactServices,
  request: StoreRequest,
  { submittedForm, page }: { readonly submittedForm: Form; readonly page: string },
  handleWrite: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await handleWrite();
  } catch (error) {
    if (!(error instanceof Problem) || !isNavigation(request)) throw error;
    const response = renderErrorPage(shop, request, error);
    const target = parseTarget(page, shop.config.locales);
    const formPage = await renderPage(
      shop,
      { ...request, ...target, query: new URLSearchParams(target.search), search: target.search },
      {
        target: target.path + target.search,
        invalidForm: createRejectedForm(submittedForm, error, getMessages(target.locale)),
      },
    );
    return formPage.status === 404
      ? response
      : { ...formPage, status: response.status, headers: { ...response.headers, ...formPage.headers } };
  }
}

/** Stores a form in the database.  @throws Problem `rate_limited`, `cart_service_unavailable` */
async function saveForm(shop: ContactServices, request: StoreRequest, form: ContactForm, page: string): Promise<void> {
  // Spam is not stored, but the response reports success, so that spam programs do not notice the detection.
  if (form.isSpam) return;
  const address = findAddressBlock(request.client.address);
  const isAllowed = shop.limits.consume("form by email", form.email.toLowerCase(), request.now);
  if (!isAllowed || !shop.limits.consume("form by address", address, request.now))
    throw new Problem("rate_limited", "Too many attempts. Try again in a minute.");
  const { kind, email, fields } = form;
  const submittedForm: Contact = {
    // The id of a subscription is derived from the email address, so that each address subscribes only once.
    id: kind === "newsletter" ? shop.keys.digest("newsletter", email.toLowerCase()) : shop.process.newId(),
    ...{ kind, email, fields, page: page.slice(0, MAX_PAGE_LENGTH), locale: request.locale, sentAt: request.now },
  };
  try {
    await shop.inbox.contacts.add(submittedForm);
  } catch (error) {
    if (errorCodeOf(error) !== "cart_service_unavailable") throw error;
    throw new Problem("cart_service_unavailable", "We couldn’t save this. Try again.");
  }
}

const MAX_PAGE_LENGTH = 2_048;

/** Returns the URL of a page without a fragment, so that browsers keep the fragment of the form's action. */
function formatSuccessPage(page: string, name: string): string {
  const [path = "/", search = ""] = page.split("?", 2);
  const query = new URLSearchParams(search);
  for (const parameter of ["contact_posted", "customer_posted", "comment_posted"]) query.delete(parameter);
  query.set(name, "true");
  return `${path}?${query}`;
}
