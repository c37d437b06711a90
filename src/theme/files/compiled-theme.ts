import type { Engine, Template } from "@vitrine/liquid";
import { captureError } from "../liquid/with-location.ts";
import type { DataReads, Dependencies } from "./dependencies.ts";
import type { InlineCode } from "./inline-code.ts";
import type { BlockPlacement, JsonTemplate, SectionPlacement } from "./json-template.ts";
import type { SectionSchema, SettingSchema } from "./schema.ts";
import type { ThemeSource } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";
import type { ThemeTexts } from "./theme-texts.ts";

/** One revision of a theme, ready to render. Files are parsed when first used. */
export interface CompiledTheme extends ThemeTexts {
  /** The served files. If the current version of a file is broken, its last valid version is served. */
  readonly folder: ThemeFolder;
  /** The files as they are on the disk, including broken ones. */
  readonly currentFolder: ThemeFolder;
  readonly liquid: Engine;
  has(file: string): boolean;
  /** Returns a parsed template.  @throws Error with file and line if the file is missing or broken */
  template(file: string): Template;
  /** Returns the parsed `snippets/<name>.liquid`.  @throws Error with file and line if it is missing or broken */
  getSnippet(name: string): Template;
  /** Returns the names that a file uses. The result is empty if the file is missing or broken. */
  dependencies(file: string): Dependencies;
  /**
   * Returns a file split into its Liquid and its data blocks such as `{% schema %}`.  @throws Error if the file does
   * not exist
   */
  source(file: string): ThemeSource;
  /** Returns the schema in a section's or block's file.  @throws Error with the file if the schema is broken */
  schema(file: string): SectionSchema;
  /**
   * Returns a JSON template, or undefined if the file does not exist.
   * @throws Error with the file if the template is broken
   */
  json(file: string): JsonTemplate | undefined;
  /** Sections that `content_for_index` shows in `templates/index.liquid`. */
  readonly homeSections: readonly SectionPlacement[];
  /** Names of the files `sections/*.json`. */
  readonly groups: readonly string[];
  readonly settings: readonly SettingSchema[];
  /** Values of `config/settings_data.json`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Name of the theme. Empty if the theme has no name. */
  readonly name: string;
  /** Inline scripts and styles that the content security policy of pages has to allow. */
  readonly inlineCode: InlineCode;
  /** Returns a generated asset: "section-styles.css", "section-scripts.js", or "x.css" for the file "x.css.liquid". */
  readonly generateAsset: AssetGenerator;
  /** Returns the data that these files read, directly or in a file that they render. */
  findDataReads(files: readonly string[]): DataReads;
  /**
   * Errors of invalid JSON files, and of files whose last valid version is served. Each message contains the file name.
   */
  readonly errors: readonly Error[];
}

/**
 * Returns the content of an asset that is generated from other files.
 * @returns undefined if there is no such asset
 * @throws Error with file and line if a source file is broken
 */
export type AssetGenerator = (name: string) => string | undefined;

/** Returns the error of a template such as "product" or "product.quick", or undefined if the template is valid. */
export function findTemplateError(theme: CompiledTheme, name: string): Error | undefined {
  return captureError(() => theme.json(`templates/${name}.json`) ?? theme.template(`templates/${name}.liquid`));
}

/** Returns the schema in a section's or block's file, or undefined if the file is missing or its schema is broken. */
export function findSchema(theme: CompiledTheme, file: string): SectionSchema | undefined {
  try {
    return theme.schema(file);
  } catch {
    return undefined;
  }
}

/** JSON template of the home page. A `templates/index.liquid` with `content_for_index` can replace it. */
export const homeTemplate = "templates/index.json";

/** Returns the sections in a JSON template or section group. The result is empty if the file is missing or broken. */
export function listTemplateSections(theme: CompiledTheme, file: string): readonly SectionPlacement[] {
  try {
    return theme.json(file)?.sections ?? (file === homeTemplate ? theme.homeSections : []);
  } catch {
    return [];
  }
}

/** Returns the files of all sections and blocks in a JSON template or section group. */
export function listSectionFiles(theme: CompiledTheme, file: string): string[] {
  return listTemplateSections(theme, file).flatMap(listPlacementFiles);
}

/** Returns the file of a snippet. As on Shopify, its name may end in ".liquid". */
export function getSnippetFile(name: string): string {
  return `snippets/${name.replace(/\.liquid$/, "")}.liquid`;
}

/** Returns the section's file, and each file that one of its blocks may use. */
export function listPlacementFiles(placement: SectionPlacement): string[] {
  return [`sections/${placement.type}.liquid`, ...placement.blocks.flatMap(listBlockFiles)];
}

function listBlockFiles(block: BlockPlacement): string[] {
  return [`blocks/${block.type}.liquid`, ...block.blocks.flatMap(listBlockFiles)];
}
