import type { Shop } from "../../../shop.ts";
import { withDeadline } from "../../deadline.ts";
import { type Reply, text } from "../../wire/reply.ts";

/** `GET /healthz`: the process answers. */
export function healthz(): Reply {
  return text(200, "ok\n");
}

/** `GET /readyz`: ready for requests; 503 while the server stops or its database is unavailable. */
export async function readyz(shop: Pick<Shop, "process">, isDraining: () => boolean): Promise<Reply> {
  const isReady = !isDraining() && (await withDeadline(shop.process.isReady()).catch(() => false));
  return isReady ? text(200, "ready\n") : text(503, "not ready\n");
}
