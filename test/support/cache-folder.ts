import { fileURLToPath } from "node:url";

/** The folder of what tests make once and keep for those that follow: compiled code, `openapi.yaml` as parsed. Gone with `node_modules`. */
export const cacheFolder = fileURLToPath(new URL("../../node_modules/.cache/vitrine-tests", import.meta.url));
