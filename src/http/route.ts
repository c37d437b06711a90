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
  /** What is answered while more comes than can be: "always" everything, before all others; "waits" what has not waited long; "looks" that, too, and
   *  the handler asks `admit` before anything that takes time; absent: nothing but what is kept. */
  readonly whenBusy?: "always" | "waits" | "looks";
  /** Who is given one answer that is kept. Those of them who ask while it is being made wait for it. */
  readonly alikeFor?: "everybody" | "strangers";
  /** Holds without a locale prefix alone. */
  readonly isUnprefixed?: boolean;
}
