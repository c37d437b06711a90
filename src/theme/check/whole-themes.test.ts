import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { buildConfig } from "../example-shop.fixture.ts";
import { checkTheme } from "./check-theme.ts";

test("check reports nothing for the default theme", () => {
  const dir = fileURLToPath(new URL("../../../themes/default", import.meta.url));
  assert.deepEqual(checkTheme(dir, buildConfig()), []);
});

const { VITRINE_THEMES: folder = "" } = process.env;
/** Public reference themes. Other themes in the folder are not checked, because they can have errors of their own. */
const themeNames = ["dawn", "horizon", "skeleton-theme", "ks-bootshop"].filter((name) =>
  existsSync(join(folder, name)),
);

test("public themes parse and render: the only errors are ones that every such theme must fix", (t) => {
  if (themeNames.length === 0) return t.skip("VITRINE_THEMES names no folder of themes");
  const compat = { forms: true, script: true, sectionPrefix: "shopify-section-" };
  const config = buildConfig({ compat });
  for (const name of themeNames) {
    const errors = checkTheme(join(folder, name), config).filter(({ severity }) => severity === "error");
    const otherErrors = errors.filter(({ rule }) => rule !== "missing-asset");
    assert.deepEqual(otherErrors, [], name);
  }
});
