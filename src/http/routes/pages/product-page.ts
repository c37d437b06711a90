import { type FeedbackShop, noteOpened } from "../../feedback.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { knownPage, type PageShop } from "./page.ts";

/** `GET /products/<handle>`, in a collection or not. */
export async function productPage(shop: PageShop & FeedbackShop, request: StoreRequest): Promise<Reply> {
  const reply = await knownPage(shop, request);
  const areSectionsAsked = ["section_id", "sections", "sections[]"].some((name) => request.query.has(name));
  if (reply.status !== 200 || areSectionsAsked) return reply;
  noteOpened(shop, request);
  const { keep } = reply;
  if (keep === undefined) return reply;
  const again = (visitor: StoreRequest): Reply | undefined => {
    const shown = keep.again(visitor);
    if (shown !== undefined) noteOpened(shop, visitor);
    return shown;
  };
  return { ...reply, keep: { ...keep, again } };
}
