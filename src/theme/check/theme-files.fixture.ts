import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Config } from "../../config/settings.ts";
import { buildConfig } from "../example-shop.fixture.ts";
import { pageTypes } from "../render/page-types.ts";
import { checkTheme } from "./check-theme.ts";

/** Content of files, by path in the theme. */
export type Files = Readonly<Record<string, string>>;

/**
 * Writes a theme to a temporary folder, which is deleted after the test, and checks it. Adds a layout and empty
 * templates unless `files` contains them.
 * @returns "file:line:column severity rule: message" of each problem; " +1" means one more location
 */
export function findingsOf(t: TestContext, files: Files, settings: Partial<Config> = {}): string[] {
  const dir = mkdtempSync(join(tmpdir(), "vitrine-check-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const templates = pageTypes.map((name) => [`templates/${name}.liquid`, ""] as const);
  const layout = "{{ content_for_header }}{{ content_for_layout }}";
  const allFiles = { "layout/theme.liquid": layout, ...Object.fromEntries(templates), ...files };
  for (const [file, text] of Object.entries(allFiles)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  const store = settings.menus === undefined ? undefined : { dir, menus: Object.keys(settings.menus) };
  return checkTheme(dir, buildConfig(settings), store).map(({ severity, rule, message, places }) => {
    const [firstLocation] = places;
    const location = [firstLocation?.file, firstLocation?.line, firstLocation?.column]
      .filter((part) => part !== undefined)
      .join(":");
    return `${location} ${severity} ${rule}: ${message}${places.length > 1 ? ` +${places.length - 1}` : ""}`;
  });
}
