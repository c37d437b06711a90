import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findUncompiledSass } from "../../theme/check/check-sass.ts";
import { readThemeFolder } from "../../theme/files/theme-folder.ts";

/**
 * Compiles the Sass files of a theme to CSS files next to them. Runs the package `sass` from the registry.
 * @param isSassAllowed false if the files are only reported and not compiled, as with `--dry-run`
 * @returns a line for each file: what happened, and what the merchant has to do
 */
export async function compileSass(themeDir: string, isSassAllowed: boolean): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const file of findUncompiledSass(readThemeFolder(themeDir))) {
    const source = await readFile(join(themeDir, file), "utf8");
    const cssFile = `${file.replace(/\.liquid$/, "")}.css`;
    if (/\{\{|\{%/.test(source))
      messages.push(
        `${file}: contains Liquid, so only the live shop can compile it. Download the URL that ends in ${cssFile.replace("assets/", "")}?v=… and save it as ${cssFile}`,
      );
    else if (!isSassAllowed) messages.push(`${file}: would be compiled to ${cssFile}`);
    else {
      const result = await runSass(source, join(themeDir, "assets"), /\.sass(?:\.|$)/.test(file));
      if (result.css === undefined) messages.push(`${file}: not compiled: ${result.error}`);
      else {
        await writeFile(join(themeDir, cssFile), result.css);
        messages.push(`${file}: compiled to ${cssFile}. Compile it again after a change`);
      }
    }
  }
  return messages;
}

async function runSass(
  source: string,
  folder: string,
  isIndented: boolean,
): Promise<{ readonly css: string } | { readonly css?: undefined; readonly error: string }> {
  const args = ["--yes", "sass@1", "--stdin", "--quiet", `--load-path=${folder}`];
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
  if (code === 0) return { css };
  const [line = ""] = stderr.trim().split("\n");
  const reason = code instanceof Error ? "npx is not installed" : line.slice(0, 300);
  return { error: `${reason || "npx sass failed"}. Correct the file, or compile it yourself` };
}
