import * as v from "valibot";
import { createIntegerSchema, group, setting } from "./value-kinds.ts";

/** Settings of caches between the server and visitors. Undefined if they must not store pages. */
export const cdnSchema = v.optional(
  group({
    maxAge: setting(
      createIntegerSchema(86_400),
      60,
      "seconds for which a [CDN](../how-to/scaling.md#put-a-cdn-in-front) may cache pages of visitors without a cart. Without `cdn`, pages are not cached. Requires `origin`",
    ),
    staleWhileRevalidate: setting(
      createIntegerSchema(86_400),
      600,
      "seconds after `maxAge` for which the CDN may still send a page while it requests a new one",
    ),
  }),
);
