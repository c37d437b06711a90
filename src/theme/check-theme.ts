import { type CompiledTheme, compileTheme } from "./compiled-theme.ts";
import { readThemeFolder } from "./theme-folder.ts";

/** Something wrong with a theme's file. */
export interface ThemeFault {
  /** "sections/header.liquid" */
  readonly file: string;
  /** 1 for the first; absent: the fault has no one line. */
  readonly line?: number;
  readonly message: string;
}

/** Parses every file of a theme, and looks up what files name.
 *  @param locale the shop's default language  @throws Error where there is no such folder */
export function checkTheme(dir: string, locale: string): ThemeFault[] {
  const folder = readThemeFolder(dir);
  const theme = compileTheme(folder, locale);
  const faults: ThemeFault[] = [...folder.refused].map(([file, message]) => ({ file, message }));
  for (const error of theme.faults) faults.push(toFault("", error));
  if (!theme.has("layout/theme.liquid"))
    faults.push({ file: "layout/theme.liquid", message: "is missing; every page is put in it" });
  for (const file of folder.texts.keys()) {
    if (file.endsWith(".liquid")) faults.push(...checkLiquid(theme, file));
    else if (/^(?:templates|sections)\//.test(file)) faults.push(...checkPlacements(theme, file));
  }
  return faults;
}

function checkLiquid(theme: CompiledTheme, file: string): ThemeFault[] {
  const faults: ThemeFault[] = [];
  for (const read of [theme.template, theme.schema]) {
    try {
      read(file);
    } catch (error) {
      faults.push(toFault(file, error));
    }
  }
  const { snippets, sections, groups } = theme.dependencies(file);
  const named = [
    ...snippets.map((name) => `snippets/${name}.liquid`),
    ...sections.map((name) => `sections/${name}.liquid`),
    ...groups.map((name) => `sections/${name}.json`),
  ];
  for (const missing of new Set(named.filter((name) => !theme.has(name))))
    faults.push({ file, message: `names ${missing}, which is not in the theme` });
  return faults;
}

function checkPlacements(theme: CompiledTheme, file: string): ThemeFault[] {
  try {
    const missing = (theme.json(file)?.sections ?? []).filter(({ type }) => !theme.has(`sections/${type}.liquid`));
    return missing.map(({ id, type }) => ({
      file,
      message: `section "${id}" needs sections/${type}.liquid, which is not in the theme`,
    }));
  } catch {
    return [];
  }
}

/** Errors name their file and line in the text: "…, file:sections/a.liquid, line:3, col:1", or "sections/a.json: …". */
function toFault(file: string, error: unknown): ThemeFault {
  const message = error instanceof Error ? error.message : String(error);
  const liquid = /^(.*), file:(.+), line:(\d+), col:\d+$/s.exec(message);
  if (liquid !== null) return { file: liquid[2] as string, line: Number(liquid[3]), message: liquid[1] as string };
  const [, named = file, text = message] = /^([\w./-]+\.(?:json|liquid)): (.*)$/s.exec(message) ?? [];
  const line = /\(line (\d+) column \d+\)/.exec(text)?.[1];
  return { file: named, message: text, ...(line === undefined ? {} : { line: Number(line) }) };
}
