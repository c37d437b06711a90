import type { Lane } from "../runtime/scheduler.ts";
import type { ErrorFormat } from "./error-responses.ts";
import type { Reply } from "./wire/reply.ts";
import type { StoreRequest, Target } from "./wire/request.ts";

/** Handles requests of one route. */
export type Handler = (request: StoreRequest) => Reply | Promise<Reply>;

/** A path with its methods and handlers. */
export interface Route {
  /** Path pattern in the syntax of find-my-way, without locale prefix. */
  readonly path: string;
  readonly format: ErrorFormat;
  readonly methods: { readonly GET?: Handler; readonly POST?: Handler };
  /** Handles a browser that follows a link to a write. */
  readonly linkHandler?: Handler;
  /** Scheduler lane of read requests. Default: "render" for pages, "read" for others. Writes always use "write". */
  readonly lane?: Lane;
  /**
   * "probe" starts at once. "file" starts before other requests of its lane and is never rejected, because a page
   * without its styles is broken.
   */
  readonly priority?: "probe" | "file";
  /** Visitors who get the same response, except for their tokens. Concurrent equal requests are coalesced. */
  readonly sharedWith?: "everyone" | "anonymous visitors";
  /** Whether the path never has a locale prefix. */
  readonly isUnprefixed?: boolean;
}

/** Result of routing, also for redirects and errors. */
export interface RouteMatch {
  /** Path pattern of the route; "*" if no route matches. */
  readonly pattern: string;
  readonly handle: Handler;
  readonly lane: Lane;
  readonly format: ErrorFormat;
  readonly priority: Route["priority"] | undefined;
  readonly sharedWith: Route["sharedWith"] | undefined;
  /** Parts of the URL that the route matched. */
  readonly target: Target;
  readonly query: URLSearchParams;
  /** Percent-decoded parameters of the pattern. */
  readonly params: Readonly<Record<string, string>>;
}
