import { statSync } from "node:fs";
import { join } from "node:path";
import { ignoreNotFound } from "../../not-found.ts";

/**
 * Returns a function that looks up whether the store has an image with this file name. Without a folder, such as on a
 * server whose images a CDN has, every image counts as existing.
 */
export function createMediaLookup(dir: string | undefined): (name: string) => boolean {
  if (dir === undefined || statSync(dir, { throwIfNoEntry: false }) === undefined) return () => true;
  return (name) => !/[/\\\0]/.test(name) && isFile(join(dir, name));
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    return ignoreNotFound(error) ?? false;
  }
}
