import type { StoreRequest } from "./wire/request.ts";

/**
 * Returns the entity tags in the header `If-Match`, with their quotes. Undefined if any revision is accepted: without
 * the header, or with "*".
 */
export function parseIfMatch(request: Pick<StoreRequest, "headers">): readonly string[] | undefined {
  const tags = request.headers["if-match"]?.split(",").map((tag) => tag.trim());
  return tags?.includes("*") === true ? undefined : tags;
}

/**
 * Returns the revisions in the header `If-Match`, such as 3 for `"3"`. Undefined if any revision is accepted. A tag
 * that is not a revision becomes NaN, which equals no revision.
 */
export function parseRevisions(request: Pick<StoreRequest, "headers">): readonly number[] | undefined {
  return parseIfMatch(request)?.map((tag) => Number(/^"(\d{1,15})"$/.exec(tag)?.[1]));
}
