import type { Shop } from "../../../shop.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { createTextReply, type Reply } from "../../wire/reply.ts";

/** Handles `GET /healthz`: reports that the process is running. */
export function checkLiveness(): Reply {
  return createTextReply(200, "ok\n");
}

/**
 * Handles `GET /readyz`: reports whether the server accepts requests. The status is 503 during the warm-up and the
 * shutdown, and if a write to the database fails or is slow.
 */
export async function checkReadiness(shop: Pick<Shop, "process">, isDraining: () => boolean): Promise<Reply> {
  const isReady = !isDraining() && (await awaitWithDeadline(shop.process.isReady()).catch(() => false));
  return isReady ? createTextReply(200, "ready\n") : createTextReply(503, "not ready\n");
}
