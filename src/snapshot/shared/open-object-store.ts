import { resolve } from "node:path";
import { createFolderStore } from "./folder-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { createS3Store } from "./s3-store.ts";

/**
 * Opens a storage without connecting to it.
 * @param location path of a folder, relative to the store's folder, or "s3://bucket/prefix"
 * @param environment variables of the process, which contain the endpoint, region, and credentials of S3
 * @throws SetupError if a package or a variable is missing
 */
export async function openObjectStore(
  location: string,
  storeDir: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ObjectStore> {
  return location.startsWith("s3://")
    ? createS3Store(location, environment)
    : createFolderStore(resolve(storeDir, location));
}
