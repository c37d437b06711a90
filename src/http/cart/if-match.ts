import { Problem } from "../../problem.ts";
import { headerOf, type StoreRequest } from "../wire/request.ts";

/** `If-Match: "3"` accepts a write only if the cart is at revision 3.  @throws Problem `cart_changed` */
export function checkRevision(request: Pick<StoreRequest, "headers">, revision: number): void {
  const header = headerOf(request, "if-match");
  if (header === undefined) return;
  const tags = header.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(`"${revision}"`)) return;
  throw new Problem("cart_changed", "The cart has changed since: look at it again.");
}
