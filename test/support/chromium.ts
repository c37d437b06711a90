import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The package unpacks its system libraries only on AWS. The variable must be set before it is loaded.
process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs22.x";
const { default: chromium } = await import("@sparticuz/chromium");

/**
 * Returns the path of the browser. The first call on a machine unpacks it. A partly written file cannot be started, so
 * browser tests share one process.
 */
export async function browserPath(): Promise<string> {
  const path = await chromium.executablePath();
  // The package's configuration names /tmp, and without a font the browser exits at the first text.
  const fonts = join(tmpdir(), "fonts");
  const file = join(fonts, "vitrine.conf");
  // For screenshots in Japanese and Arabic, FONTCONFIG_PATH names a folder with more fonts.
  const folders = [fonts, process.env.FONTCONFIG_PATH].filter(Boolean).map((folder) => `<dir>${folder}</dir>`);
  await writeFile(file, `<fontconfig>${folders.join("")}<cachedir>${fonts}-cache</cachedir></fontconfig>\n`);
  process.env.FONTCONFIG_FILE = file;
  return path;
}
