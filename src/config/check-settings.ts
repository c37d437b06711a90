import * as v from "valibot";
import { SetupError } from "../setup-error.ts";
import { settingLine } from "./setting-line.ts";
import { type Config, settings } from "./settings.ts";

/** Settings as a merchant wrote them -> a complete config.
 *  @param file names the source in messages  @param text of that file, for the lines of faults
 *  @throws SetupError that names each unknown or wrong setting */
export function checkSettings(written: unknown, file: string, text = ""): Config {
  const result = v.safeParse(settings, written, { abortPipeEarly: true });
  if (result.success) return result.output;
  const faults = result.issues.map(({ path, message }) => {
    const name = nameOf(path ?? []);
    const line = settingLine(text, name);
    return `${line === undefined ? file : `${file}:${line}`}: ${name === "" ? "the settings" : name} ${message}.`;
  });
  throw new SetupError(`${faults.join("\n")} Correct the setting and start again.`);
}

/** "menus.main[0].url" */
function nameOf(path: readonly v.IssuePathItem[]): string {
  return path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
