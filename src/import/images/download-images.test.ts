import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import sharp from "sharp";
import { isPublicAddress } from "./download-image.ts";
import { defaultLimits, downloadImages } from "./download-images.ts";
import { readLocalImages } from "./local-images.ts";

const photo = await sharp({ create: { width: 9, height: 6, channels: 3, background: "#a52" } })
  .webp()
  .toBuffer();

async function serve(t: TestContext, answer: RequestListener) {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-pictures-"));
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
    return rm(storeDir, { recursive: true });
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sources = (count: number) => Array.from({ length: count }, (_, index) => `http://${host}/${index}.jpg`);
  return { storeDir, sources, limits: { ...defaultLimits, timeoutMs: 300, trustedHosts: new Set([host]) } };
}

test("a server that stalls before or during a response is skipped after some attempts", async (t) => {
  let requestCount = 0;
  const { storeDir, sources, limits } = await serve(t, (_, response) => {
    requestCount += 1;
    if (requestCount % 2 === 0) response.write(photo.subarray(0, 20));
  });
  const failures = await downloadImages(storeDir, sources(40), limits);
  assert.equal(failures.length, 40);
  assert.ok(requestCount <= 16, `asked ${requestCount} times`);
  const reasons = new Set(failures.map(({ reason }) => reason.replace(/127\.0\.0\.1:\d+/, "the host")));
  assert.deepEqual([...reasons].sort(), [
    "was not downloaded within 0.3 seconds",
    "was not requested: the host failed 8 times in a row",
  ]);
  assert.deepEqual(await readdir(join(storeDir, "media/fetched")), []);
});

test("a server that closes the connection without a response is skipped", async (t) => {
  const { storeDir, sources, limits } = await serve(t, (_, response) => {
    response.writeHead(101, { connection: "upgrade", upgrade: "websocket" }).end();
  });
  assert.deepEqual(
    (await downloadImages(storeDir, sources(1), limits)).map(({ reason }) => reason),
    ["could not be downloaded: the connection was closed without a response"],
  );
});

test("concurrent downloads are limited in number and bytes, and interrupted ones resume", async (t) => {
  let openRequests = 0;
  let maxOpenRequests = 0;
  /** Number of open requests that the server awaits before it answers. */
  let awaitedRequests = 1;
  const heldResponses: ServerResponse[] = [];
  const { storeDir, sources, limits } = await serve(t, (_, response) => {
    openRequests += 1;
    maxOpenRequests = Math.max(maxOpenRequests, openRequests);
    heldResponses.push(response);
    if (openRequests < awaitedRequests) return;
    awaitedRequests = 1;
    setTimeout(() => {
      for (const heldResponse of heldResponses.splice(0)) {
        openRequests -= 1;
        heldResponse.end(photo);
      }
    }, 5);
  });
  const urls = sources(20);
  const stop = new AbortController();
  let doneCount = 0;
  const onDone = (): void => {
    doneCount += 1;
    if (doneCount === 5) stop.abort(new Error("stopped"));
  };
  await downloadImages(storeDir, urls, limits, onDone, stop.signal).catch((error: Error) => {
    assert.equal(error.message, "stopped");
  });
  const home = await readLocalImages(storeDir);
  const remainingUrls = urls.filter((src) => !home.has(src));
  assert.ok(remainingUrls.length > 0 && remainingUrls.length <= 15, `${remainingUrls.length} left`);
  const smallLimits = {
    ...limits,
    concurrency: 3,
    maxImages: remainingUrls.length - 1,
    maxTotalBytes: photo.length * 3,
  };
  // Wait until the server has answered the aborted downloads too.
  while (openRequests > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  maxOpenRequests = 0;
  awaitedRequests = 3;
  const failures = await downloadImages(storeDir, remainingUrls, smallLimits);
  assert.equal(maxOpenRequests, 3);
  assert.ok(failures.some(({ reason }) => reason.includes("images per run")));
  assert.ok(failures.some(({ reason }) => reason.includes("GB per run")));
  assert.deepEqual(
    await downloadImages(
      storeDir,
      failures.map(({ src }) => src),
      limits,
    ),
    [],
  );
  const allImages = await readLocalImages(storeDir);
  assert.ok(urls.every((src) => allImages.has(src)));
});

test("IP addresses of this machine, of private networks, and of tunnels into them are not public", () => {
  for (const address of "127.0.0.1 10.1.2.3 172.31.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255".split(
    " ",
  ))
    assert.equal(isPublicAddress(address), false, address);
  for (const address of "::1 :: fe80::1 fd00::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::1 2001:db8::1 3fff::1 3fff:fff:ffff::1 ff02::1 x".split(
    " ",
  ))
    assert.equal(isPublicAddress(address), false, address);
  for (const address of "93.184.216.34 8.8.8.8 172.32.0.1 2606:4700::1111 3fff:1000::1 2a00:1450:4001::200e".split(" "))
    assert.equal(isPublicAddress(address), true, address);
});
