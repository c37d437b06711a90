import type { Lane } from "../runtime/scheduler.ts";
import type { ErrorFormat } from "./error-responses.ts";
import type { Reply } from "./wire/reply.ts";
import type { StoreRequest, Target } from "./wire/request.ts";

/** Answers requests of one route. */
export type Handler = (request: StoreRequest) => Reply | Promise<Reply>;

/** A path and its methods. */
export interface Route {
  /** A pattern of find-my-way, without locale prefix. */
  readonly path: string;
  readonly format: ErrorFormat;
  readonly methods: { readonly GET?: Handler; readonly POST?: Handler };
  /** Answers a browser that follows a link to a write. */
  readonly linkHandler?: Handler;
  /** Lane in which reads wait to start. Default: "render" for pages, "read" for others. Writes wait in "write". */
  readonly lane?: Lane;
  /** "probe": starts at once. "file": starts before other requests of its lane and is never rejected: rejecting one costs as much, and a page is
   *  broken without its styles. */
  readonly priority?: "probe" | "file";
  /** Visitors who get the same response, apart from their tokens. Equal requests at the same time wait for one response. */
  readonly sharedWith?: "everyone" | "anonymous visitors";
  /** The path has no locale prefix. */
  readonly isUnprefixed?: boolean;
}

/** The result of routing, also for redirects and errors. */
export interface RouteMatch {
  /** Path of the route; "*" if no route has the path of the request. */
  readonly pattern: string;
  readonly handle: Handler;
  readonly lane: Lane;
  readonly format: ErrorFormat;
  readonly priority: Route["priority"] | undefined;
  readonly sharedWith: Route["sharedWith"] | undefined;
  /** The URL in the form of the route. */
  readonly target: Target;
  readonly query: URLSearchParams;
  /** Parameters of the pattern, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}
