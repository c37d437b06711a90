import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type BuildOptions, build } from "esbuild";

/** Bundles modules into few scripts that share code. Returns when they are written. */
export async function bundle(options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    splitting: true,
    format: "esm",
    logLevel: "warning",
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // V8 stores a script with characters beyond Latin-1 in two bytes per character. esbuild leaves such characters only in
    // regular expressions and tagged templates, in which an escape sequence means the same.
    writeFileSync(
      path,
      text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    );
  }
}
