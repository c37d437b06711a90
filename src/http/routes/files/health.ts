import type { Shop } from "../../../shop.ts";
import { withDeadline } from "../../deadline.ts";
import { type Reply, textReply } from "../../wire/reply.ts";

/** Handles `GET /healthz`: reports that the process is running. */
export function healthz(): Reply {
  return textReply(200, "ok\n");
}

/**
 * Handles `GET /readyz`: reports whether the server accepts requests. The status is 503 during shutdown, or if the
 * database is unavailable.
 */
export async function readyz(shop: Pick<Shop, "process">, isDraining: () => boolean): Promise<Reply> {
  const isReady = !isDraining() && (await withDeadline(shop.process.isReady()).catch(() => false));
  return isReady ? textReply(200, "ready\n") : textReply(503, "not ready\n");
}
