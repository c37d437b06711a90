import { fileURLToPath } from "node:url";

/**
 * Folder of files that tests create once and reuse: compiled code, the bundled server, the parsed `openapi.yaml`. Deleted with
 * `node_modules`.
 */
export const cacheFolder = fileURLToPath(new URL("../../node_modules/.cache/vitrine-tests", import.meta.url));

/** Environment variable with the path of the bundled `main.ts`. Default: the processes of tests load the sources. */
export const bundleVariable = "VITRINE_TEST_BUNDLE";
