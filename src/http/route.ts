import type { QueueName } from "../runtime/scheduler.ts";
import type { TokenScope } from "../security/api-token.ts";
import type { ErrorFormat } from "./error-responses.ts";
import type { Reply } from "./wire/reply.ts";
import type { RequestTarget, StoreRequest } from "./wire/request.ts";

/** Handles requests of one route. */
export type Handler = (request: StoreRequest) => Reply | Promise<Reply>;

/** A path with its methods and handlers. */
export interface Route {
  /** Path pattern in the syntax of the find-my-way router, without language prefix. */
  readonly path: string;
  readonly format: ErrorFormat;
  readonly methods: { readonly GET?: Handler; readonly POST?: Handler; readonly PUT?: Handler };
  /** Handles a browser that follows a link to a path that accepts only POST. */
  readonly linkHandler?: Handler;
  /** Scheduler queue for read requests. Default: "render" for pages, "read" for other routes. */
  readonly lane?: QueueName;
  /** Scheduler queue for POST and PUT. Default: "write". */
  readonly writeQueue?: QueueName;
  /**
   * "probe" (health checks) skips the queue. "file" is ahead of other requests in the queue and is never rejected,
   * because a page without its styles is broken.
   */
  readonly priority?: "probe" | "file";
  /**
   * Visitors who all get the same response for a URL, except for the CSRF token in it. Their concurrent requests for
   * one URL share a response.
   */
  readonly cacheAudience?: "everyone" | "anonymous visitors";
  /** Whether the path exists only without a language prefix. */
  readonly isUnprefixed?: boolean;
  /** Scopes for sending the form. A console user needs one of them. Default: the scope `console` suffices. */
  readonly formScopes?: readonly TokenScope[];
}

/** Handler and settings that the router found for a URL. Redirects and errors also have handlers. */
export interface RouteMatch {
  /** Path pattern of the route, such as "/products/:handle". "*" for a URL without a route. */
  readonly pattern: string;
  readonly handle: Handler;
  readonly lane: QueueName;
  readonly format: ErrorFormat;
  readonly priority: Route["priority"] | undefined;
  readonly cacheAudience: Route["cacheAudience"] | undefined;
  /** Language prefix, path, and query of the URL. */
  readonly target: RequestTarget;
  readonly query: URLSearchParams;
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}
