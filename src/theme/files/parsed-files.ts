import type { Template } from "@vitrine/liquid";
import type { Dependencies } from "./dependencies.ts";
import type { JsonTemplate } from "./json-template.ts";
import type { SectionSchema } from "./schema.ts";
import type { Source } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** Parsed files of a theme, by name; a file that cannot be parsed has its error. */
export interface ParsedFiles {
  /** The files that were parsed. */
  readonly texts: ThemeFolder["texts"];
  readonly sources: Map<string, Source>;
  readonly json: Map<string, JsonTemplate | Error>;
  readonly templates: Map<string, Template | Error>;
  readonly schemas: Map<string, SectionSchema | Error>;
  readonly dependencies: Map<string, Dependencies>;
}

/** @param before parsed files of an earlier revision, reused for unchanged files */
export function openParsedFiles(texts: ThemeFolder["texts"], before?: ParsedFiles): ParsedFiles {
  const same = <Value>(known: ReadonlyMap<string, Value> | undefined): Map<string, Value> => {
    const entries = [...(known ?? [])];
    return new Map(entries.filter(([file]) => texts.has(file) && texts.get(file) === before?.texts.get(file)));
  };
  return {
    texts,
    sources: same(before?.sources),
    json: same(before?.json),
    templates: same(before?.templates),
    schemas: same(before?.schemas),
    dependencies: same(before?.dependencies),
  };
}
