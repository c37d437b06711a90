import { createLiquid } from "../liquid/liquid.ts";
import { placed } from "../liquid/placed.ts";
import { parseJson, parseJsonTemplate } from "./json-template.ts";
import { parseLocale } from "./locales.ts";
import { parseSchema } from "./schema.ts";
import { splitSource } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** Files of a theme that are served while some are being edited. */
export interface KeptFolder {
  readonly folder: ThemeFolder;
  /** Reasons why current files are not served, each with its file. */
  readonly faults: readonly Error[];
}

/**
 * Keeps the previous version of each file that was valid and is now broken, for example half saved.
 * @param before the files served until now
 */
export function keepLastGood(folder: ThemeFolder, before: ThemeFolder): KeptFolder {
  const texts = new Map(folder.texts);
  const faults: Error[] = [];
  for (const [file, text] of folder.texts) {
    const known = before.texts.get(file);
    if (known === undefined || known === text) continue;
    const fault = faultIn(file, text);
    if (fault === undefined || faultIn(file, known) !== undefined) continue;
    texts.set(file, known);
    faults.push(new Error(`${fault.message}; ${file} stays as it was before this change`, { cause: fault }));
  }
  return faults.length === 0 ? { folder, faults } : { folder: { ...folder, texts }, faults };
}

/** Returns why a file is invalid, or undefined. */
function faultIn(file: string, text: string): Error | undefined {
  try {
    if (file.endsWith(".liquid")) readLiquid(file, text);
    else if (/^(?:templates|sections)\//.test(file)) parseJsonTemplate(text);
    else if (file.startsWith("locales/")) parseLocale(text);
    else parseJson(text);
    return undefined;
  } catch (thrown) {
    const error = placed(thrown);
    const message = error instanceof Error ? error.message : String(error);
    return new Error(message.includes(file) ? message : `${file}: ${message}`, { cause: error });
  }
}

function readLiquid(file: string, text: string): void {
  const { liquid: source, schema, schemaLine } = splitSource(text);
  // An editor empties a file before it writes it; an empty layout or template is never intended.
  if (/^(?:layout|templates)\//.test(file) && text.trim() === "") throw new Error(`${file}: is empty`);
  if (file.startsWith("layout/") && !/\bcontent_for_layout\b/.test(source))
    throw new Error(`${file}: does not contain {{ content_for_layout }}`);
  createLiquid().parse(source, file);
  if (schema !== undefined) parseSchema(schema, schemaLine);
}
