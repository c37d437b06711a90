import type { MessagePort } from "node:worker_threads";
import type { ConsoleNews } from "../console/console.ts";
import type { CollectedMetrics } from "../observability/metrics.ts";
import type { Choice, SearchClick, TrackedEvent } from "../signals/signals.ts";
import type { PostedParts } from "../snapshot/posted-parts.ts";
import type { Role } from "../storage/sqlite/worker.ts";
import type { LoopFault } from "./loop-fault.ts";

/** Where a loop listens: at an address that all of them share, or in a private place to which connections are relayed. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string };

/** What a loop is told. */
export type ToLoop =
  | { readonly kind: "parts"; readonly parts: PostedParts }
  | { readonly kind: "news"; readonly news: ConsoleNews }
  | { readonly kind: "listen"; readonly place: Place }
  | { readonly kind: "collect"; readonly ask: number }
  /** Clicks to weigh. */
  | { readonly kind: "clicks"; readonly clicks: readonly SearchClick[] }
  | { readonly kind: "close" };

/** What a loop tells. */
export type FromLoop =
  | { readonly kind: "open" }
  | { readonly kind: "listening" }
  /** It cannot be opened, or cannot listen. */
  | { readonly kind: "failed"; readonly fault: LoopFault }
  /** A port to the database's thread. */
  | { readonly kind: "connect"; readonly role: Role; readonly port: MessagePort }
  /** Of the base of this number nothing is held any more. */
  | { readonly kind: "unused"; readonly base: number }
  | { readonly kind: "damaged"; readonly base: number }
  | { readonly kind: "collected"; readonly ask: number; readonly metrics: CollectedMetrics }
  /** Events of visitors, in their order. */
  | { readonly kind: "events"; readonly events: readonly TrackedEvent[] }
  /** Weighed clicks. */
  | { readonly kind: "choices"; readonly choices: readonly Choice[] };
