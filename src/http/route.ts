import type { ErrorFormat } from "./refusals.ts";
import type { Reply } from "./wire/reply.ts";
import type { StoreRequest } from "./wire/request.ts";

/** Answers requests of one route. */
export type Handler = (request: StoreRequest) => Reply | Promise<Reply>;

/** A path and what can be done there. */
export interface Route {
  /** A pattern of find-my-way, without locale prefix. */
  readonly path: string;
  readonly format: ErrorFormat;
  readonly methods: { readonly GET?: Handler; readonly POST?: Handler };
  /** Answers a browser that follows a link to a write. */
  readonly followed?: Handler;
  /** What is answered while more comes than can be: "always" everything; "looks" what is kept, and the handler asks `admit` before anything
   *  else; absent: nothing. */
  readonly whenBusy?: "always" | "looks";
  /** Holds without a locale prefix alone. */
  readonly isUnprefixed?: boolean;
}
