import { createLiquid } from "../liquid/liquid.ts";
import { addFileName, captureError } from "../liquid/with-location.ts";
import { parseJson, parseJsonTemplate } from "./json-template.ts";
import { parseLocale } from "./locales.ts";
import { parseSchema } from "./schema.ts";
import { splitSource } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** The files of a theme that are served. Broken files are replaced by their last valid version. */
export interface ServedFolder {
  readonly folder: ThemeFolder;
  /** Errors in the broken files that were replaced by their last valid version. Each message names the file. */
  readonly errors: readonly Error[];
}

/**
 * Replaces each broken file, such as a half-saved one, by its last valid version.
 * @param previousFolder the files served so far
 */
export function keepValidFiles(folder: ThemeFolder, previousFolder: ThemeFolder): ServedFolder {
  const texts = new Map(folder.texts);
  const errors: Error[] = [];
  for (const [file, text] of folder.texts) {
    const previousText = previousFolder.texts.get(file);
    if (previousText === undefined || previousText === text) continue;
    const error = findError(file, text);
    if (error === undefined || findError(file, previousText) !== undefined) continue;
    texts.set(file, previousText);
    errors.push(new Error(`${error.message}; ${file} stays as it was before this change`, { cause: error }));
  }
  return errors.length === 0 ? { folder, errors } : { folder: { ...folder, texts }, errors };
}

/** Returns the error of an invalid file, or undefined. */
function findError(file: string, text: string): Error | undefined {
  const error = captureError(() => validateFile(file, text));
  return error && addFileName(file, error);
}

function validateFile(file: string, text: string): void {
  if (file.endsWith(".liquid")) validateLiquid(file, text);
  else if (/^(?:templates|sections)\//.test(file)) parseJsonTemplate(text);
  else if (file.startsWith("locales/")) parseLocale(text);
  else parseJson(text);
}

function validateLiquid(file: string, text: string): void {
  const { liquid: source, schema, schemaLine } = splitSource(text);
  // Some editors empty a file before they write it. An empty layout or template is therefore treated as broken.
  if (/^(?:layout|templates)\//.test(file) && text.trim() === "") throw new Error(`${file}: is empty`);
  if (file.startsWith("layout/") && !/\bcontent_for_layout\b/.test(source))
    throw new Error(`${file}: does not contain {{ content_for_layout }}`);
  createLiquid().parse(source, file);
  if (schema !== undefined) parseSchema(schema, schemaLine);
}
