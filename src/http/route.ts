import type { Lane } from "../runtime/scheduler.ts";
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
  /** Where reads wait to start; by default pages in "render", all others in "read". Writes wait in "write". */
  readonly lane?: Lane;
  /** "probe": starts at once. "file": starts before other requests of its lane and is never rejected: rejecting one costs as much, and a page is
   *  broken without its styles. */
  readonly priority?: "probe" | "file";
  /** Who is given one answer that is kept. Those of them who ask while it is being made wait for it. */
  readonly alikeFor?: "everybody" | "strangers";
  /** Holds without a locale prefix alone. */
  readonly isUnprefixed?: boolean;
}
