import { basename } from "node:path";

/** How the user calls this command line: what the commands that it prints must begin with to be found.
 *  @param script path of the script that Node runs */
export function programName(env: NodeJS.ProcessEnv, script: string): string {
  if (env.npm_lifecycle_event === "vitrine") return "npm run -s vitrine --";
  if (env.npm_lifecycle_event === "npx") return "npx vitrine";
  return basename(script) === "vitrine" ? "vitrine" : `node ${quoted(script)}`;
}

/** A word of a command line, in quotes where it holds what shells read otherwise. */
export function quoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, "\\$&")}"`;
}
