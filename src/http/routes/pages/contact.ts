import { Problem } from "../../../problem.ts";
import type { Contact, Shop } from "../../../shop.ts";
import { type ContactForm, parseContactForm } from "../../bodies/contact-form.ts";
import { formOf, returnPath } from "../../bodies/form-posts.ts";
import { codeOf } from "../../refusals.ts";
import { checkWrite } from "../../sessions/csrf-session.ts";
import { addressBlock } from "../../wire/address-block.ts";
import { referringPath } from "../../wire/referring-path.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

export type ContactShop = Pick<Shop, "config" | "keyring" | "contacts" | "contactsByAddress" | "newId" | "snapshot">;

/** `POST /contact`: a theme's form for messages and for the newsletter; kept in the database. Back to the page, which then says that it was sent:
 *  `?contact_posted=true`, `?customer_posted=true`. */
export async function contact(shop: ContactShop, request: StoreRequest): Promise<Reply> {
  const { form, page } = await readForm(shop, request);
  await keep(shop, request, form, page);
  const name = form.kind === "newsletter" ? "customer_posted" : "contact_posted";
  return redirect(303, sentPage(page, name, "contact_form"));
}

/** `POST /blogs/<blog>/<article>/comments`: a comment, for the merchant to read; it is not shown by itself. */
export async function comment(shop: ContactShop, request: StoreRequest): Promise<Reply> {
  const { blog = "", handle = "" } = request.params;
  if (shop.snapshot().catalog.article(blog, handle) === undefined)
    throw new Problem("not_found", "There is no such article.");
  const { form } = await readForm(shop, request);
  const page = `${request.prefix}/blogs/${encodeURIComponent(blog)}/${encodeURIComponent(handle)}`;
  await keep(shop, request, { ...form, kind: "comment" }, page);
  return redirect(303, sentPage(page, "comment_posted", "comment_form"));
}

async function readForm(
  shop: ContactShop,
  request: StoreRequest,
): Promise<{ readonly form: ContactForm; readonly page: string }> {
  await checkWrite(shop, request, true);
  const sent = await formOf(request);
  if (sent === undefined) throw new Problem("bad_request", "Send a form, as a page's does.");
  return { form: parseContactForm(sent), page: returnPath(sent, referringPath(request)) };
}

/** @throws Problem `rate_limited`, `cart_service_unavailable` */
async function keep(shop: ContactShop, request: StoreRequest, form: ContactForm, page: string): Promise<void> {
  // Who fell into the trap is not told so.
  if (form.isTrapped) return;
  const address = addressBlock(request.client.address, { ipv4: 32, ipv6: 64 });
  if (!shop.contactsByAddress.take(address, request.now))
    throw new Problem("rate_limited", "Much was sent from here just now: please send it again in a minute.");
  const { kind, email, fields } = form;
  const sent: Contact = {
    // An address that is on the newsletter's list already is on it once.
    id: kind === "newsletter" ? shop.keyring.digest("newsletter", email.toLowerCase()) : shop.newId(),
    ...{ kind, email, fields, page: page.slice(0, MAX_PAGE), locale: request.locale, sentAt: request.now },
  };
  try {
    await shop.contacts.add(sent);
  } catch (error) {
    if (codeOf(error) !== "cart_service_unavailable") throw error;
    throw new Problem("cart_service_unavailable", "This could not be kept just now: please send it again in a moment.");
  }
}

const MAX_PAGE = 2_048;

function sentPage(page: string, name: string, anchor: string): string {
  const [path = "/", search = ""] = page.split("?", 2);
  const query = new URLSearchParams(search);
  for (const one of ["contact_posted", "customer_posted", "comment_posted"]) query.delete(one);
  query.set(name, "true");
  return `${path}?${query}#${anchor}`;
}
