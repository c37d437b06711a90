import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Config } from "../../config/settings.ts";
import { addThemeSettings } from "../../config/theme-settings.ts";
import { findUncompiledSass } from "../../theme/check/check-sass.ts";
import { compileTheme } from "../../theme/files/compile-theme.ts";
import { readThemeFolder } from "../../theme/files/theme-folder.ts";

/**
 * Compiles the Sass files of a theme to CSS files next to them. Liquid in them is rendered with the settings of the
 * theme. Runs the package `sass` from the registry.
 * @param isSassAllowed false if the files are only reported and not compiled, as with `--dry-run`
 * @returns a line for each file: what happened, and what the merchant has to do
 */
export async function compileSass(
  themeDir: string,
  config: Config,
  isSassAllowed: boolean,
): Promise<readonly string[]> {
  const folder = readThemeFolder(themeDir);
  // `themePreset` names a preset of the current theme, which the added theme does not have.
  const themeConfig = addThemeSettings({ ...config, themePreset: undefined }, themeDir);
  const theme = compileTheme(folder, config.locales.default, undefined, themeConfig);
  const compile = async (file: string): Promise<string> => {
    const name = file.replace(/^assets\/|\.liquid$/g, "");
    const cssFile = `assets/${name}.css`;
    if (!isSassAllowed) return `would be compiled to ${cssFile}`;
    const source = await readFile(join(themeDir, file), "utf8");
    const hasLiquid = /\{\{|\{%/.test(source);
    try {
      const sass = relaxExtends(hasLiquid ? (theme.generateAsset(name) ?? "") : source);
      await writeFile(join(themeDir, cssFile), await runSass(sass, join(themeDir, "assets"), name.endsWith(".sass")));
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
      return `not compiled: ${reason}. Correct the file, or save the compiled CSS of the live shop as ${cssFile}`;
    }
    return hasLiquid
      ? `compiled to ${cssFile}, with the current settings of the theme`
      : `compiled to ${cssFile}. Compile it again after a change`;
  };
  const messages: string[] = [];
  for (const file of findUncompiledSass(folder)) messages.push(`${file}: ${await compile(file)}`);
  return messages;
}

/**
 * Changes `@extend` for versions after LibSass: replaces a selector such as "a.btn.wide" by its classes, ".btn, .wide",
 * and allows selectors that no rule has.
 */
function relaxExtends(sass: string): string {
  return sass.replaceAll(
    /(@extend\s+)([^;{}!\n]*[^;{}!\s])(?:\s*!optional)?(?=\s*(?:[;}]|$))/gm,
    (_, start: string, list: string) => {
      const selectors = list.split(",").map((selector) => {
        const trimmedSelector = selector.trim();
        const isCompound = /^[a-z\d]*(?:[.%][\w-]+){2,}$|^[a-z\d]+(?:[.%][\w-]+)$/i.test(trimmedSelector);
        return isCompound ? (trimmedSelector.match(/[.%][\w-]+/g) ?? []).join(", ") : trimmedSelector;
      });
      return `${start}${selectors.join(", ")} !optional`;
    },
  );
}

/** Compiles Sass to CSS.  @throws Error if that is not possible */
async function runSass(source: string, folder: string, isIndented: boolean): Promise<string> {
  // Themes were written for LibSass. Later versions of the package reject more of it, such as "and(max-width: 9px)".
  const args = ["--yes", "sass@1.32", "--stdin", "--quiet", `--load-path=${folder}`];
  // On Windows, npx is a script, which only a shell can run.
  const isWindows = process.platform === "win32";
  const childProcess = spawn("npx", isIndented ? [...args, "--indented"] : args, {
    shell: isWindows,
    timeout: 120_000,
  });
  childProcess.stdin.on("error", () => {});
  childProcess.stdin.end(source);
  const exitPromise = new Promise<number | Error | null>((resolve) => {
    childProcess.on("error", resolve);
    childProcess.on("close", resolve);
  });
  const [css, stderr, code] = await Promise.all([text(childProcess.stdout), text(childProcess.stderr), exitPromise]);
  if (code === 0) return css;
  // The message can continue after an excerpt of the source, whose lines start with spaces or numbers.
  const [line = "", nextLine = ""] = stderr.split("\n").filter((text) => /^\p{L}/u.test(text));
  const message = line.trimEnd().endsWith(":") ? `${line.trimEnd()} ${nextLine}` : line;
  const reason = code instanceof Error ? "npx is not installed" : message.slice(0, 300);
  throw new Error(reason || "npx sass failed");
}
