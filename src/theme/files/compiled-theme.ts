import type { Engine, Template } from "../../liquid/engine.ts";
import { placed } from "../liquid/placed.ts";
import type { Dependencies } from "./dependencies.ts";
import type { InlineCode } from "./inline-code.ts";
import type { BlockPlacement, JsonTemplate, Placement } from "./json-template.ts";
import type { Translator } from "./locales.ts";
import type { SectionSchema, SettingSchema } from "./schema.ts";
import type { Source } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** One revision of a theme, ready to be rendered; files are parsed when first needed. */
export interface CompiledTheme {
  /** What is served: the files as they are now, or as they last were if they are broken now. */
  readonly folder: ThemeFolder;
  /** The files as they are now. */
  readonly read: ThemeFolder;
  readonly liquid: Engine;
  has(file: string): boolean;
  /** @throws Error with file and line where it is missing or broken */
  template(file: string): Template;
  /** `snippets/<name>.liquid`. @throws Error as `template` does */
  snippet(name: string): Template;
  /** None where the file is missing or broken. */
  dependencies(file: string): Dependencies;
  /** Liquid text of a file, and the bodies of its data blocks. @throws Error where there is no such file */
  source(file: string): Source;
  /** Of a section's or block's file. @throws Error with the file where it is broken */
  schema(file: string): SectionSchema;
  /** undefined where there is no such file. @throws Error with the file where it is broken */
  json(file: string): JsonTemplate | undefined;
  /** What `content_for_index` shows in `templates/index.liquid`. */
  readonly index: readonly Placement[];
  /** Names of `sections/*.json` files. */
  readonly groups: readonly string[];
  readonly settings: readonly SettingSchema[];
  /** Values of `config/settings_data.json`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The theme's own name; empty: it has none. */
  readonly name: string;
  translator(locale: string): Translator;
  /** Texts that schemas name by `t:`. */
  schemaTranslator(locale: string): Translator;
  /** What the theme's files ask of a page's content security policy. */
  readonly inline: InlineCode;
  /** Text of an asset that is made from other files: "section-styles.css", "section-scripts.js", "x.css" of "x.css.liquid". */
  readonly generated: GeneratedAssets;
  /** Whether any of these files, or what they render and place, names the cart. */
  readsCart(files: readonly string[]): boolean;
  /** The same of the customer. */
  readsCustomer(files: readonly string[]): boolean;
  /** The same of what the customer ordered. */
  readsOrders(files: readonly string[]): boolean;
  /** What is wrong with JSON files, and with files that are served as they were before, each with its file. */
  readonly faults: readonly Error[];
}

/** @returns the text of an asset that is made of other files; undefined where there is none of that name
 *  @throws Error with file and line where it is made of a broken one */
export type GeneratedAssets = (name: string) => string | undefined;

/** Why a template, like "product" or "product.quick", cannot be shown: its file is missing or cannot be read. undefined where it can. */
export function templateFault(theme: CompiledTheme, name: string): Error | undefined {
  return faultOf(() => theme.json(`templates/${name}.json`) ?? theme.template(`templates/${name}.liquid`));
}

/** What looking at a file throws. */
export function faultOf(look: () => unknown): Error | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    return placed(error) as Error;
  }
}

/** The JSON template of the home page, in whose place `templates/index.liquid` with `content_for_index` may stand. */
export const indexFile = "templates/index.json";

/** What a JSON template or group places; none where it is missing or broken: the ids in it are unknown then. */
export function placedSections(theme: CompiledTheme, file: string): readonly Placement[] {
  try {
    return theme.json(file)?.sections ?? (file === indexFile ? theme.index : []);
  } catch {
    return [];
  }
}

/** The files of the sections and blocks that a JSON template or group places. */
export function sectionFiles(theme: CompiledTheme, file: string): string[] {
  return placedSections(theme, file).flatMap(placedFiles);
}

/** The file of a section, and those of its blocks that may have one. */
export function placedFiles(placement: Placement): string[] {
  return [`sections/${placement.type}.liquid`, ...placement.blocks.flatMap(blockFiles)];
}

function blockFiles(block: BlockPlacement): string[] {
  return [`blocks/${block.type}.liquid`, ...block.blocks.flatMap(blockFiles)];
}
