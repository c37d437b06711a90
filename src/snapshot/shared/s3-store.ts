import { decodeXML } from "entities";
import { SetupError } from "../../setup-error.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";

/** An optional package that the merchant installs. It signs requests. */
const S3_LIBRARY: string = "aws4fetch";

/** Milliseconds after which a request fails. A request transfers at most a few megabytes. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Number of times that a request is repeated after status 429 or 5xx. */
const MAX_RETRIES = 2;

/** Maximum bytes of a response. A part of a file has 8 MiB, and the manifest of a large index less. */
const MAX_RESPONSE_BYTES = 64 * 1_024 * 1_024;

/** The part of aws4fetch that this module uses. */
interface S3Client {
  fetch(url: string, options?: RequestInit): Promise<Response>;
}

type S3Library = { readonly AwsClient: new (options: object) => S3Client };

/**
 * Creates a storage in a bucket of S3 or of a compatible server.
 * @param location "s3://bucket/prefix"
 * @param environment `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, and optionally `AWS_SESSION_TOKEN`, `AWS_REGION` and
 * `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`
 * @throws SetupError if the package or a variable is missing
 */
export async function createS3Store(
  location: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStore> {
  const { host: bucket, pathname } = new URL(location);
  const prefix = pathname.replaceAll(/^\/+|\/+$/g, "");
  const keyPrefix = prefix === "" ? "" : `${prefix}/`;
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? "us-east-1";
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL;
  const bucketUrl =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const client = new (await loadLibrary()).AwsClient({
    accessKeyId: requireVariable(environment, "AWS_ACCESS_KEY_ID"),
    secretAccessKey: requireVariable(environment, "AWS_SECRET_ACCESS_KEY"),
    sessionToken: environment.AWS_SESSION_TOKEN,
    service: "s3",
    region,
    retries: MAX_RETRIES,
  });

  /** Sends a request.  @param expectedStatuses statuses other than 2xx that are no errors */
  const request = async (path: string, options: RequestInit, expectedStatuses: readonly number[] = []) => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await client.fetch(`${bucketUrl}${path}`, { ...options, signal, redirect: "error" });
    if (response.ok || expectedStatuses.includes(response.status)) return response;
    await response.body?.cancel();
    throw new Error(
      `${new URL(bucketUrl).host} answered ${response.status} to ${options.method ?? "GET"} in the bucket ${bucket}`,
    );
  };
  const pathOf = (name: string): string => `/${keyPrefix}${name}`;
  const put = async (name: string, bytes: Uint8Array, headers: Readonly<Record<string, string>>): Promise<number> => {
    const options = { method: "PUT", body: bytes as Uint8Array<ArrayBuffer>, headers };
    const response = await request(pathOf(name), options, "if-none-match" in headers ? [409, 412] : []);
    await response.body?.cancel();
    return response.status;
  };

  return {
    async read(name) {
      const response = await request(pathOf(name), {}, [404]);
      const bytes = await readBytes(response);
      return response.status === 404 ? undefined : bytes;
    },
    write: async (name, bytes) => void (await put(name, bytes, {})),
    create: async (name, bytes) => (await put(name, bytes, { "if-none-match": "*" })) < 300,
    async list() {
      const objects: StoredObject[] = [];
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ "list-type": "2", prefix: keyPrefix });
        if (token !== undefined) query.set("continuation-token", token);
        const page = Buffer.from(await readBytes(await request(`/?${query}`, {}))).toString();
        for (const [, object = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const name = readElement(object, "Key").slice(keyPrefix.length);
          objects.push({ name, modifiedAt: Date.parse(readElement(object, "LastModified")) });
        }
        const nextToken = page.includes("<IsTruncated>true<") ? readElement(page, "NextContinuationToken") : undefined;
        if (nextToken === "" || (nextToken !== undefined && nextToken === token))
          throw new Error(`${new URL(bucketUrl).host} lists the bucket ${bucket} without the next page`);
        token = nextToken;
      } while (token !== undefined);
      return objects;
    },
    async remove(name) {
      const response = await request(pathOf(name), { method: "DELETE" }, [404]);
      await response.body?.cancel();
    },
  };
}

/** Reads a body.  @throws if it is larger than any object of the shared index */
async function readBytes({ body, url }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new Error(`${new URL(url).host} sent more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function loadLibrary(): Promise<S3Library> {
  try {
    return (await import(S3_LIBRARY)) as S3Library;
  } catch {
    throw new SetupError(
      `the setting server.sharedIndex needs the package ${S3_LIBRARY}: run \`npm install ${S3_LIBRARY}\`.`,
    );
  }
}

function requireVariable(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = environment[name];
  if (value !== undefined && value !== "") return value;
  throw new SetupError(`the setting server.sharedIndex needs the environment variable ${name}: set it.`);
}

/** Returns the text of the first element with a name in an XML text; "" if there is none. */
function readElement(xml: string, name: string): string {
  return decodeXML(new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(xml)?.[1] ?? "");
}
