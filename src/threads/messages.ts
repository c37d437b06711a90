import type { MessagePort } from "node:worker_threads";
import type { ConsoleNews } from "../console/console.ts";
import type { CollectedMetrics } from "../observability/metrics.ts";
import type { MadeSearch } from "../predictive-search/search-trails.ts";
import type { SearchStep } from "../predictive-search/sessions/search-steps.ts";
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
  | { readonly kind: "trail"; readonly ask: number; readonly search: MadeSearch | undefined }
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
  /** What shoppers did about searches, in its order. */
  | { readonly kind: "steps"; readonly steps: readonly SearchStep[] }
  | {
      readonly kind: "searched";
      readonly visitor: string;
      readonly page: string;
      readonly search: MadeSearch;
      readonly now: number;
    }
  | {
      readonly kind: "opened" | "added";
      readonly ask: number;
      readonly visitor: string;
      readonly page: string;
      readonly product: string;
      readonly now: number;
    };
