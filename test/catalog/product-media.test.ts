import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyMedia } from "../../src/catalog/media.ts";
import type { Product } from "../../src/catalog/product.ts";
import { parseRow } from "../../src/catalog/rows/parse-row.ts";
import { readFiles } from "../../src/import/read-files.fixture.ts";
import { describeRowError } from "../../src/import/row-errors.ts";
import { product } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const media = [
  { src: "/media/tent.mp4", poster: "/media/poster.jpg", alt: "Pitching", width: 1_280, height: 720 },
  { src: "https://youtu.be/dQw4w9WgXcQ" },
  { src: "/media/tent.glb" },
];
const rows = [{ ...product(1, "tent", "Tent", [{ id: 11, price: 100 }]), images: [{ src: "/media/tent.jpg" }], media }];

test("the kind of media follows from its URL", () => {
  const kinds = [
    ["/media/a.mp4", "video video/mp4"],
    ["https://files.example/a.WEBM?v=2", "video video/webm"],
    ["/media/a.usdz", "model model/vnd.usdz+zip"],
    ["https://www.youtube.com/watch?t=3&v=dQw4w9WgXcQ", "external_video youtube dQw4w9WgXcQ"],
    ["https://www.youtube.com/shorts/dQw4w9WgXcQ", "external_video youtube dQw4w9WgXcQ"],
    ["https://player.vimeo.com/video/76979871?h=1", "external_video vimeo 76979871"],
    ["/media/a.jpg", ""],
    ["javascript:a.mp4", ""],
    ["https://video.example/watch?v=dQw4w9WgXcQ", ""],
  ] as const;
  for (const [src, expected] of kinds) {
    const kind = classifyMedia(src);
    const text =
      kind === undefined
        ? ""
        : Object.values({ ...kind, format: undefined })
            .filter(Boolean)
            .join(" ");
    assert.equal(text, expected, src);
  }
});

test("videos and 3D models follow the images of a product in JSON and Liquid, with equal fields", async () => {
  const section =
    '{{ product.media | json }}\n{% for one in product.media offset: 1 %}{{ one.media_type }} {{ one.aspect_ratio }} {{ one.preview_image.src }} {{ one | media_tag: image_size: "90x", controls: true }}\n{% endfor %}{{ product.media[1] | image_url: width: 9 }}';
  const shop = await startShop({ rows, themeFiles: { "sections/media.liquid": section } });
  const { text } = await shop.client().get("/products/tent?section_id=media");
  const [json = "", ...lines] = text.replace(/^<div[^>]*>|<\/div>$/g, "").split("\n");
  const { media: listed } = (await shop.client().get("/products/tent.js")).json<{ media: unknown }>();
  assert.deepEqual(JSON.parse(json), listed);
  assert.deepEqual(lines, [
    'video 1.7777777777777777 /media/poster.jpg <video playsinline preload="metadata" poster="/media/poster.jpg?width=90" aria-label="Pitching" controls><source src="/media/tent.mp4" type="video/mp4"></video>',
    'external_video 1.7777777777777777 /media/tent.jpg <iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="Tent" loading="lazy" referrerpolicy="strict-origin-when-cross-origin" allow="accelerometer; autoplay; encrypted-media; gyroscope; picture-in-picture" class="v-video"></iframe>',
    'model 1.0 /media/tent.jpg <model-viewer src="/media/tent.glb" alt="Tent" poster="/media/tent.jpg?width=90" camera-controls controls></model-viewer>',
    "/media/poster.jpg?width=9",
  ]);
});

test("a video does not equal the image that it shows before it plays, as in galleries that hide images of variants", async () => {
  const image = "/media/tent.jpg";
  const shown = [{ ...product(1, "tent", "Tent", [{ id: 11, price: 100, image }]), images: [{ src: image }], media }];
  const section = `{% assign variant_images = product.images | where: 'attached_to_variant?', true | map: 'src' -%}
    {%- for one in product.media %}{{ one.media_type }} {% if variant_images contains one.src %}hidden{% endif %},{% endfor %}`;
  const shop = await startShop({ rows: shown, themeFiles: { "sections/media.liquid": section } });
  const { text } = await shop.client().get("/products/tent?section_id=media");
  assert.equal(text.replace(/<[^>]*>/g, ""), "image hidden,video ,external_video ,model ,");
});

test("media of another kind are rejected, naming the field", () => {
  const errors: string[] = [];
  const invalid = { ...rows[0], media: [{ src: "/media/a.jpg" }, { src: "/media/a.mp4", poster: "data:x" }] };
  parseRow(invalid, undefined, (field, message) => void errors.push(`${field} ${message}`));
  assert.deepEqual(
    errors.map((error) => error.replace(/ \(\..*/, "")),
    ["media[0].src must be a video", "media[1].poster must be a path or an http(s) URL"],
  );
});

test("a Google feed has videos and 3D models of products; other files are ignored with a note", async () => {
  const links = ["https://youtu.be/dQw4w9WgXcQ", "https://files.example/page.html"];
  const { acceptedRows, convertedValues } = await readFiles([
    [
      "feed.xml",
      `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><title>Tent</title><g:price>9.00 EUR</g:price>${links.map((link) => `<g:video_link>${link}</g:video_link>`).join("")}<g:virtual_model_link>https://files.example/tent.glb</g:virtual_model_link></item></channel></rss>`,
    ],
  ]);
  assert.deepEqual((acceptedRows[0] as Product | undefined)?.media, [
    { src: links[0] },
    { src: "https://files.example/tent.glb" },
  ]);
  assert.match(
    convertedValues.map(describeRowError).join("\n"),
    /video_link: is neither a video nor a 3D model of a known format: ignored/,
  );
});
