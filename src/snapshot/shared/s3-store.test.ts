import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createS3Store } from "./s3-store.ts";

/** How the server answers. */
let answer = (response: ServerResponse): void => void response.end();
const server = createServer((_request, response) => answer(response));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => server.close().closeAllConnections());
const store = await createS3Store("s3://catalogs/shop", {
  AWS_ACCESS_KEY_ID: "key",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
});

test("a list of objects without the next page, or with the same page again, is an error", async () => {
  for (const token of ["", "<NextContinuationToken>again</NextContinuationToken>"]) {
    answer = (response) => response.end(`<ListBucketResult><IsTruncated>true</IsTruncated>${token}</ListBucketResult>`);
    await assert.rejects(store.list(), /lists the bucket catalogs without the next page/);
  }
});

test("an endless object is not read to its end", async () => {
  const chunk = Buffer.alloc(1_048_576);
  let sentChunks = 0;
  answer = (response) => {
    const send = (): void => {
      while (!response.destroyed && sentChunks < 1_000) {
        sentChunks += 1;
        if (!response.write(chunk)) return;
      }
    };
    response.on("drain", send);
    send();
  };
  await assert.rejects(store.read("part"), /sent more than 67108864 bytes/);
  assert.ok(sentChunks < 200, `${sentChunks} MiB were sent`);
});
