import * as v from "valibot";
import {
  createIntegerSchema,
  defineGroup,
  describeSchema,
  optionalSetting,
  setting,
  textSchema,
} from "./value-kinds.ts";

const cdnPurgeFormats = ["fastly", "cloudflare", "varnish", "webhook"] as const;

const purgeUrlSchema = describeSchema(
  v.pipe(
    v.string(),
    v.check((input) => /^https?:$/.test(URL.parse(input)?.protocol ?? "")),
  ),
  'a URL like "https://api.fastly.com/service/<id>/purge"',
);

/** Settings of a CDN between the server and visitors. Undefined if a CDN must not store pages. */
export const cdnSchema = v.optional(
  defineGroup({
    maxAge: setting(
      createIntegerSchema(2_592_000),
      60,
      "seconds for which a [CDN](../how-to/scaling.md#put-a-cdn-in-front) may cache pages of visitors without a cart. Without `cdn`, pages are not cached. Requires `origin`",
    ),
    staleWhileRevalidate: setting(
      createIntegerSchema(2_592_000),
      600,
      "seconds after `maxAge` for which the CDN may still send a page while it requests a new one",
    ),
    purge: v.optional(
      defineGroup({
        format: setting(
          describeSchema(v.picklist(cdnPurgeFormats), `one of ${cdnPurgeFormats.join(", ")}`),
          "webhook",
          "format of the requests that [purge changed pages](../how-to/scaling.md#purge-changed-pages). Without `purge`, pages change after `maxAge`",
        ),
        url: optionalSetting(purgeUrlSchema, "URL of these requests; required with `purge`"),
        token: optionalSetting(textSchema, "token of the CDN, such as `process.env.CDN_TOKEN`"),
      }),
    ),
  }),
);
