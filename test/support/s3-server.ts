import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { AwsV4Signer } from "aws4fetch";
import { listenAt } from "../../src/runtime/listen.ts";

/** Credentials that the server accepts. */
export const s3Environment = {
  AWS_ACCESS_KEY_ID: "test-key",
  AWS_SECRET_ACCESS_KEY: "test-secret",
  AWS_REGION: "eu-central-1",
} as const;

export interface S3Server {
  /** Variables of the environment for a client. */
  readonly environment: Readonly<Record<string, string>>;
  readonly bucket: string;
  /** Objects of the bucket by key. */
  readonly objects: Map<string, Buffer>;
  /** Makes the server answer 503, or work again. */
  setAvailable(isAvailable: boolean): void;
  /** Makes the server ignore `If-None-Match`, or heed it again. */
  setConditional(isConditional: boolean): void;
  /** Moves the clock of the server.  @param offsetMs difference to that of this machine, in milliseconds */
  setClock(offsetMs: number): void;
  close(): Promise<void>;
}

/**
 * Starts a server with the operations of S3 that the shared index uses: it stores objects in memory, lists them in
 * pages of two, rejects wrong signatures, and supports `If-None-Match: *`.
 */
export async function startS3Server(): Promise<S3Server> {
  const bucket = "catalogs";
  const objects = new Map<string, Buffer>();
  const times = new Map<string, string>();
  let isAvailable = true;
  let isConditional = true;
  let clockOffset = 0;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const key = decodeURIComponent(url.pathname).slice(bucket.length + 2);
    const end = (status: number, text: string | Buffer = ""): void => void response.writeHead(status).end(text);
    if (!isAvailable) return end(503);
    if (!(await hasRightSignature(request, url))) return end(403);
    if (key === "") return end(200, listPage(objects, times, url.searchParams));
    if (request.method === "PUT") {
      if (request.headers["if-none-match"] === "*" && isConditional && objects.has(key)) return end(412);
      objects.set(key, body);
      times.set(key, new Date(Date.now() + clockOffset).toISOString());
      return end(200);
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return end(204);
    }
    const bytes = objects.get(key);
    return bytes === undefined ? end(404) : end(200, bytes);
  });
  const origin = await listenAt(server, { port: 0, host: "127.0.0.1" });
  return {
    environment: { ...s3Environment, AWS_ENDPOINT_URL_S3: origin },
    bucket,
    objects,
    setAvailable(value) {
      isAvailable = value;
    },
    setConditional(value) {
      isConditional = value;
    },
    setClock(offsetMs) {
      clockOffset = offsetMs;
    },
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}

async function hasRightSignature(request: IncomingMessage, url: URL): Promise<boolean> {
  const signedNames = /SignedHeaders=([^,]*)/.exec(request.headers.authorization ?? "")?.[1]?.split(";") ?? [];
  const headers = signedNames
    .filter((name) => name !== "host")
    .map((name) => [name, String(request.headers[name])] as [string, string]);
  const signer = new AwsV4Signer({
    method: request.method ?? "GET",
    url: url.href,
    headers,
    accessKeyId: s3Environment.AWS_ACCESS_KEY_ID,
    secretAccessKey: s3Environment.AWS_SECRET_ACCESS_KEY,
    region: s3Environment.AWS_REGION,
    service: "s3",
    datetime: String(request.headers["x-amz-date"]),
    allHeaders: true,
  });
  return (await signer.sign()).headers.get("authorization") === request.headers.authorization;
}

function listPage(
  objects: ReadonlyMap<string, Buffer>,
  times: ReadonlyMap<string, string>,
  parameters: URLSearchParams,
): string {
  const after = parameters.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(parameters.get("prefix") ?? "")).sort();
  const page = keys.filter((key) => key > after).slice(0, 2);
  const isTruncated = page.at(-1) !== keys.at(-1);
  const contents = page
    .map((key) => `<Contents><Key>${key}</Key><LastModified>${times.get(key)}</LastModified></Contents>`)
    .join("");
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return `<?xml version="1.0"?><ListBucketResult>${contents}<IsTruncated>${isTruncated}</IsTruncated>${next}</ListBucketResult>`;
}

/** Environment variable with the URL of a bucket, whose other parameters are in the variables of AWS. */
const s3Variable = "VITRINE_TEST_S3";

/** Returns the S3 server that the environment names, or one of the test. */
export async function openS3(context: TestContext): Promise<S3Server> {
  const url = process.env[s3Variable];
  if (url === undefined) {
    const server = await startS3Server();
    context.after(server.close);
    return server;
  }
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => name.startsWith("AWS_") && value !== undefined),
  ) as Record<string, string>;
  return {
    bucket: new URL(url).host,
    environment,
    objects: new Map(),
    setAvailable() {},
    setConditional() {},
    setClock() {},
    close: async () => {},
  };
}
