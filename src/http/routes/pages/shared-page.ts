import type { Shop } from "../../../shop.ts";
import type { RenderedPage } from "../../../theme/theme.ts";
import { getVisitorToken } from "../../sessions/csrf-session.ts";
import { isAnonymous } from "../../sessions/customer-session.ts";
import { SharedBody, VisitorBody } from "../../wire/filled-body.ts";
import { createHtmlReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { createPagePolicy } from "../../wire/security-headers.ts";

/**
 * Renders a page that is cached for all anonymous visitors. Only the CSRF token in it differs. During rendering, a
 * random placeholder takes the place of the token, so the cached page contains no token.
 * @param source object from which the page is rendered; a change invalidates the cached page
 * @param render renders the page with the placeholder as token
 */
export async function showSharedPage(
  shop: Pick<Shop, "config" | "hooks" | "keys" | "process" | "theme" | "snapshot">,
  request: StoreRequest,
  source: object,
  render: (csrfToken: string) => Promise<RenderedPage>,
): Promise<Reply> {
  const revision = shop.theme.revision();
  const placeholder = shop.process.newId() + shop.process.newId();
  const { status, html: page, content } = await render(placeholder);
  const sharedBody = new SharedBody(page, placeholder);
  const policy = createPagePolicy(shop, shop.theme.inline(), request.isSecure, content);
  const replyTo = (visitor: StoreRequest): Reply => {
    const { token, cookies } = getVisitorToken(shop, visitor);
    const headers = { "set-cookie": cookies, "content-security-policy": policy };
    // The token is not compressed, because the compressed length could reveal it.
    return { ...createHtmlReply(status, "", headers), body: new VisitorBody(sharedBody, token), compress: "fast" };
  };
  const isCurrent = (): boolean => shop.theme.revision() === revision;
  const reuse = (visitor: StoreRequest): Reply | undefined =>
    isAnonymous(shop, visitor) && isCurrent() ? replyTo(visitor) : undefined;
  const reply = replyTo(request);
  return status === 200 ? { ...reply, cachePolicy: { source, bytes: sharedBody.size, reuse } } : reply;
}
