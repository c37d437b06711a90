import * as v from "valibot";
import { defaultCountries } from "../pricing/default-countries.ts";
import { SetupError } from "../setup-error.ts";
import { settingLine } from "./setting-line.ts";
import { type Config, settings } from "./settings.ts";

/** Settings as a merchant wrote them -> a complete config.
 *  @param file names the source in messages  @param text of that file, for the lines of faults
 *  @throws SetupError that names each unknown or wrong setting */
export function checkSettings(written: unknown, file: string, text = ""): Config {
  const result = v.safeParse(settings, written, { abortPipeEarly: true });
  if (result.success) return withOwnCountries(result.output, written);
  const faults = result.issues.map(({ path, message }) => {
    const name = nameOf(path ?? []);
    const line = settingLine(text, name);
    return `${line === undefined ? file : `${file}:${line}`}: ${name === "" ? "the settings" : name} ${message}.`;
  });
  throw new SetupError(`${faults.join("\n")} Correct the setting and start again.`);
}

/** A shop that says nothing of shipping sends to its own countries. */
function withOwnCountries(config: Config, written: unknown): Config {
  const { shipping } = written as { readonly shipping?: { readonly countries?: unknown } };
  if (shipping?.countries !== undefined || config.shipping.rates.length > 0 || config.hooks !== undefined)
    return config;
  return { ...config, shipping: { ...config.shipping, countries: defaultCountries(config) } };
}

/** "menus.main[0].url" */
function nameOf(path: readonly v.IssuePathItem[]): string {
  return path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
