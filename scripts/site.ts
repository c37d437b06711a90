// Builds the documentation as a website: `npm run docs`, or `node scripts/site.ts <folder>`. Any static host can serve
// the folder, under any path.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSite } from "./site/build.ts";

const [folder = fileURLToPath(new URL("../site", import.meta.url))] = process.argv.slice(2);
const pages = buildSite(resolve(folder));
process.stdout.write(`${pages} pages in ${resolve(folder)}\n`);
