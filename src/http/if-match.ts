import { headerOf, type StoreRequest } from "./wire/request.ts";

/**
 * Returns the entity tags in the header `If-Match`, with their quotes. Undefined if any revision is accepted: without
 * the header, or with "*".
 */
export function parseIfMatch(request: Pick<StoreRequest, "headers">): readonly string[] | undefined {
  const tags = headerOf(request, "if-match")
    ?.split(",")
    .map((tag) => tag.trim());
  return tags?.includes("*") === true ? undefined : tags;
}
