import { type FeedbackShop, noteOpened } from "../feedback.ts";
import type { Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { knownPage, type PageShop } from "./page.ts";

/** `GET /products/<handle>`, in a collection or not. */
export async function productPage(shop: PageShop & FeedbackShop, request: StoreRequest): Promise<Reply> {
  const reply = await knownPage(shop, request);
  const areSectionsAsked = ["section_id", "sections", "sections[]"].some((name) => request.query.has(name));
  if (reply.status === 200 && !areSectionsAsked) noteOpened(shop, request);
  return reply;
}
