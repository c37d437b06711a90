import assert from "node:assert/strict";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import sharp from "sharp";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const style = `.a { background: url("dots.svg") }\n${".b { color: red }\n".repeat(200)}`;
const shop = await startShop({
  themeFiles: {
    "layout/theme.liquid": `<head>{{ content_for_header }}</head>{{ content_for_layout }}${"<p>filler</p>".repeat(200)}`,
    "assets/site.css": style,
    "assets/dots.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "assets/main.js": 'import { one } from "./part.js";\nimport("./lazy.js");\nimport "./elsewhere.js";\n',
    "assets/part.js": 'export { two } from "./main.js";\n',
    "assets/lazy.js": "export const lazy = 1;\n",
    "sections/links.liquid": "{{ 'site.css' | asset_url }} {{ 'main.js' | asset_url }} {{ 'part.js' | asset_url }}",
  },
});
const media = join(shop.storeDir, "media");
await mkdir(media);
const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#246" } })
  .composite([{ input: { create: { width: 300, height: 300, channels: 3, background: "#fc0" } }, left: 150, top: 50 }])
  .jpeg()
  .toBuffer();
await writeFile(join(media, "photo.jpg"), photo);
await writeFile(join(media, "photo.png"), await sharp(photo).png().toBuffer());
await writeFile(join(media, "turned.jpg"), await sharp(photo).withMetadata({ orientation: 6 }).toBuffer());
await writeFile(join(media, "broken.jpg"), photo.subarray(0, photo.length / 2));
await writeFile(join(media, "drawing.svg"), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
await writeFile(join(media, "liar.png"), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
await writeFile(join(shop.storeDir, "outside.jpg"), photo);

interface Bytes {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Requests a path and returns the raw bytes of the body, without decoding. */
function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const outgoing = request(shop.origin + path, { headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      // The shutdown of a slow server ends a connection within a response.
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    outgoing.on("error", reject).end();
  });
}

/** Waits for the resized image. Until then the response is the original, cacheable for a minute. */
async function untilResized(path: string, headers?: Readonly<Record<string, string>>): Promise<Bytes> {
  for (;;) {
    const reply = await get(path, headers);
    if (reply.headers["cache-control"] !== "public, max-age=60") return reply;
  }
}

async function sizeOf(path: string, headers?: Readonly<Record<string, string>>): Promise<unknown> {
  const { status, bytes } = await untilResized(path, headers);
  assert.equal(status, 200, path);
  const { format, width, height } = await sharp(bytes).metadata();
  return [format, width, height];
}

const [styleUrl = "", mainUrl = "", partUrl = ""] = String((await get("/?section_id=links")).bytes)
  .replace(/<[^>]*>/g, "")
  .split(" ");

test("an asset URL with the current version is immutable, one with another version is cached for a minute, one without is revalidated", async () => {
  for (const [path, expected] of [
    [styleUrl, "public, max-age=31536000, immutable"],
    ["/assets/site.css?v=older", "public, max-age=60"],
    ["/assets/site.css", "public, max-age=0, must-revalidate"],
  ] as const)
    assert.equal((await get(path)).headers["cache-control"], expected, path);
});

test("scripts and styles reference assets by the URLs that pages use", async () => {
  const [main, part, css] = await Promise.all(
    [mainUrl, partUrl, styleUrl].map(async (url) => String((await get(url)).bytes)),
  );
  assert.ok(main?.includes(`from ".${partUrl.replace("/assets", "")}"`), String(main));
  assert.ok(part?.includes(`from ".${mainUrl.replace("/assets", "")}"`), String(part));
  assert.match(String(main), /import\("\.\/lazy\.js\?v=[\w-]{12}"\)/);
  assert.match(String(main), /import "\.\/elsewhere\.js"/);
  assert.match(String(css), /url\("dots\.svg\?v=[\w-]{12}"\)/);
  await writeFile(join(shop.storeDir, "theme", "assets", "lazy.js"), "export const lazy = 2;\n");
  const links = await untilSeen("/?section_id=links", ({ bytes }) => !String(bytes).includes(mainUrl));
  assert.ok(!String(links.bytes).includes(partUrl) && String(links.bytes).includes(styleUrl), String(links.bytes));
});

test("text is compressed by Accept-Encoding, each encoding with a separate ETag", async () => {
  const plainReply = await get(styleUrl);
  assert.equal(plainReply.headers.vary, "Accept-Encoding");
  for (const [accepted, coding, decode] of [
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip;q=0.8", "gzip", gunzipSync],
  ] as const) {
    const { bytes, headers } = await get(styleUrl, { "accept-encoding": accepted });
    assert.equal(headers["content-encoding"], coding);
    assert.equal(headers.vary, "Accept-Encoding");
    assert.notEqual(headers.etag, plainReply.headers.etag);
    assert.equal(Number(headers["content-length"]), bytes.length);
    assert.ok(bytes.length < style.length / 4);
    assert.deepEqual(decode(bytes), plainReply.bytes);
    assert.equal((await get(styleUrl, { "if-none-match": String(headers.etag) })).status, 304);
  }
  assert.equal((await get("/assets/dots.svg", { "accept-encoding": "br" })).headers["content-encoding"], undefined);
});

test("client scripts are equal in every store and small, and their folder has no other files", async () => {
  for (const name of ["vitrine.js", "compat.js", "no-image.svg"]) {
    const { status, headers, bytes } = await get(`/vitrine/${name}`);
    assert.match(`${status} ${headers["content-type"]}`, /^200 (?:text\/javascript|image\/svg\+xml); charset=utf-8$/);
    assert.match(String(headers["cache-control"]), /^public, max-age=600/);
    assert.doesNotMatch(String(bytes), /^\s*(?:\/\/|\/\*\*)/m);
    const version = String(headers.etag).replaceAll('"', "");
    assert.match(String((await get(`/vitrine/${name}?v=${version}`)).headers["cache-control"]), /immutable/);
  }
  for (const name of ["vitrine.d.ts", "..%2fpackage.json", "x.js"])
    assert.equal((await get(`/vitrine/${name}`)).status, 404);
});

test("an anonymous page is compressed around its token, a visitor's page unless it reflects the URL beyond its path", async () => {
  const visitor = shop.client();
  await add(visitor, variant.unlimited);
  const pages = [
    ["/", "br"],
    ["/products/harbour-raincoat", "br"],
    ["/search?q=rain", undefined],
    ["/?x=1", undefined],
    ["/no-such", undefined],
    ["/collections/flags/any+text", undefined],
  ] as const;
  for (const [path, coding] of pages) {
    const { headers } = await visitor.get(path, { "accept-encoding": "gzip, br" });
    assert.equal(headers["content-encoding"], coding, path);
  }
  const strangers = [
    ["/", "gzip"],
    ["/?x=1", "gzip"],
    ["/search?q=rain", undefined],
    ["/search/suggest.json?q=rain", "br"],
  ] as const;
  for (const [path, coding] of strangers) {
    const { headers } = await get(path, { "accept-encoding": "gzip, br" });
    assert.equal(headers["content-encoding"], coding, path);
  }
});

test("the content security policy is strict unless files of the theme contain inline scripts or styles", async () => {
  const policy = async () => String((await get("/")).headers["content-security-policy"]);
  assert.doesNotMatch(await policy(), /unsafe-inline|script-src|style-src/);
  await writeFile(join(shop.storeDir, "theme", "snippets", "inline.liquid"), "<script>var one = 1;</script>");
  await untilSeen("/", ({ headers }) => /script-src/.test(String(headers["content-security-policy"])));
  // Scripts set styles and evaluate strings, and on a page served over http, `//cdn.test/a.js` is http too.
  assert.match(await policy(), /script-src 'self' 'unsafe-inline' 'unsafe-eval' http: https:;/);
  assert.match(await policy(), /style-src 'self' 'unsafe-inline' http: https:;/);
});

test("an image has the requested size and is never enlarged", async () => {
  assert.deepEqual(await sizeOf("/media/photo.jpg"), ["jpeg", 900, 600]);
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=300"), ["jpeg", 300, 200]);
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=290&height=100"), ["jpeg", 150, 100]);
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=5000"), ["jpeg", 900, 600]);
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=300&height=300&crop=center"), ["jpeg", 300, 300]);
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=5000&height=5000&crop=top"), ["jpeg", 600, 600]);
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=300&format=png"), ["png", 300, 200]);
  assert.deepEqual(await sizeOf("/media/turned.jpg?width=300"), ["jpeg", 300, 450]);
  // Theme scripts derive URLs of this form.
  assert.deepEqual(await sizeOf("/media/photo_300x.jpg"), ["jpeg", 300, 200]);
  assert.deepEqual(await sizeOf("/media/photo.jpg&width=300"), ["jpeg", 300, 200]);
  assert.deepEqual(await sizeOf("/media/photo_150x150_crop_center@2x.jpg?v=1"), ["jpeg", 300, 300]);
  assert.deepEqual(await sizeOf("/media/photo_x200.progressive.jpg"), ["jpeg", 300, 200]);
  assert.deepEqual(await sizeOf("/media/photo_x200.progressive.png.jpg"), ["jpeg", 300, 200]);
  assert.deepEqual(await sizeOf("/media/photo_300x.png"), ["png", 300, 200]);
  assert.deepEqual(await sizeOf("/media/photo_medium.jpg"), ["jpeg", 240, 160]);
  assert.deepEqual(await sizeOf("/media/photo_master.jpg"), ["jpeg", 900, 600]);
  assert.equal((await get("/media/drawing_360x.svg")).status, 200);
  assert.equal((await get("/media/none_360x.svg")).status, 404);
});

test("WebP is sent to clients that accept it, with Vary", async () => {
  const accept = { accept: "image/avif,image/webp,*/*" };
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=300", accept), ["webp", 300, 200]);
  const { headers } = await get("/media/photo.jpg?width=300", accept);
  assert.deepEqual([headers.vary, headers["content-type"]], ["Accept", "image/webp"]);
  assert.deepEqual(await sizeOf("/media/photo.jpg?width=300&format=jpg", accept), ["jpeg", 300, 200]);
});

test("concurrent requests share one resize, whose result is stored with its ETag", async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => untilResized("/media/photo.jpg?width=480&v=1")));
  const tags = new Set(replies.map(({ headers }) => headers.etag));
  assert.equal(tags.size, 1);
  assert.equal(replies[0]?.headers["cache-control"], "public, max-age=31536000, immutable");
  const unversioned = await get("/media/photo.jpg?width=480&v=0");
  assert.equal(unversioned.headers["cache-control"], "public, max-age=3600");
  const again = await get("/media/photo.jpg?width=470&v=1", { "if-none-match": String([...tags][0]) });
  assert.equal(again.status, 304);
  const keptFiles = (await readdir(join(shop.storeDir, "data", "images"), { recursive: true })).filter((name) =>
    name.includes(String([...tags][0]).replaceAll('"', "")),
  );
  assert.equal(keptFiles.length, 1);
});

test("after a second of waiting the original image is sent, later the resized one, within the limits of its format", async () => {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const large = await sharp({ create: { width: 2_400, height: 1_600, channels: 3, background: "#888", noise } })
    .jpeg()
    .toBuffer();
  await writeFile(join(media, "large.jpg"), large);
  const address = (width: number): string => `/media/large.jpg?format=avif&width=${width}&v=1`;
  const replies = await Promise.all([2_400, 2_300].map((width) => get(address(width))));
  const originals = replies.filter(({ bytes }) => bytes.equals(large));
  assert.ok(originals.length > 0, "nobody waited longer than a second");
  for (const { headers } of originals) assert.equal(headers["cache-control"], "public, max-age=60");
  assert.deepEqual(await sizeOf(address(2_400)), ["heif", 2_121, 1_414]);
});

test("an image that cannot be resized is sent unchanged, never with a 5xx", async () => {
  assert.deepEqual((await get("/media/broken.jpg?width=100")).bytes, photo.subarray(0, photo.length / 2));
  assert.equal((await get("/media/liar.png?width=100")).status, 200);
  const drawing = await get("/media/drawing.svg?width=100");
  assert.match(String(drawing.bytes), /^<svg/);
  assert.match(String(drawing.headers["content-security-policy"]), /default-src 'none'.*sandbox/);
  for (const query of [
    "width=-1",
    "width=1e9",
    "height=0",
    "width=10&height=99999&crop=center",
    "format=tiff",
    "width=%00",
  ])
    assert.equal((await get(`/media/photo.jpg?${query}`)).status, 200, query);
});

test("a symbolic link cannot leave the image folder", async () => {
  await writeFile(join(shop.storeDir, "outside.txt"), "secret");
  await writeFile(join(shop.storeDir, "outside.jpg"), photo);
  for (const name of ["outside.txt", "outside.jpg"]) await symlink(join("..", name), join(media, name));
  await symlink("photo.jpg", join(media, "inside.jpg"));
  await symlink("..", join(media, "up"));
  for (const path of ["/media/outside.txt", "/media/outside.jpg?width=100", "/media/up/outside.txt"])
    assert.equal((await get(path)).status, 404, path);
  assert.deepEqual((await get("/media/inside.jpg")).bytes, photo);
});

test("a name that is too long, and a link to itself, are not found", async () => {
  await symlink("loop.jpg", join(media, "loop.jpg"));
  for (const path of [`/media/${"a".repeat(300)}.jpg`, `/media/${"b/".repeat(4_000)}c.jpg`, "/media/loop.jpg"])
    for (const query of ["", "?width=100"]) assert.equal((await get(path + query)).status, 404, path.slice(0, 20));
});

test("only files of the image folder are resized", async () => {
  for (const path of [
    "/media/../outside.jpg",
    "/media/%2e%2e/outside.jpg",
    "/media/..%2foutside.jpg",
    "/media/none.jpg",
    "/media/",
  ])
    assert.ok([400, 403, 404].includes((await send(shop.origin, "GET", `${path}?width=100`)).status), path);
});

/** Polls a path until its response reflects a change of the theme. */
function untilSeen(path: string, isSeen: (reply: Bytes) => boolean): Promise<Bytes> {
  return until(async () => {
    const reply = await get(path);
    return isSeen(reply) ? reply : undefined;
  }, `${path} changes`);
}

test("at shutdown a running resize is completed, and queued ones are dropped", async () => {
  const keptFiles = () => readdir(join(shop.storeDir, "data", "images"), { recursive: true });
  const address = (height: number): string => `/media/large.jpg?width=1500&height=${height}&crop=top`;
  await untilResized(address(900));
  const pendingReplies = Array.from({ length: 28 }, (_, n) => get(address(800 - 10 * n)));
  await Promise.race(pendingReplies);
  const answered = Promise.allSettled(pendingReplies);
  await shop.app.close();
  const files = await keptFiles();
  assert.ok(!files.some((name) => name.endsWith(".part")), files.join());
  // Each resize takes a few tenths of a second.
  await setTimeout(800);
  assert.deepEqual(await keptFiles(), files);
  await answered;
});
