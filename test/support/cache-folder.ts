import { fileURLToPath } from "node:url";

/**
 * Folder of files that tests create once and reuse: compiled code, the parsed `openapi.yaml`. Deleted with
 * `node_modules`.
 */
export const cacheFolder = fileURLToPath(new URL("../../node_modules/.cache/vitrine-tests", import.meta.url));
