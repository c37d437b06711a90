import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { documentFile, withSettings } from "../scripts/settings.ts";

test("the documents tell of every setting as it is declared: npm run settings", () => {
  const document = readFileSync(documentFile, "utf8");
  assert.equal(document, withSettings(document));
  for (const name of ["name", "cart.maxLines", "compat", "compat.script", "menus"])
    assert.match(document, new RegExp(`^\\| \`${RegExp.escape(name)}\` \\| \\S.+ \\| \\S+.* \\| \\S.+ \\|$`, "m"));
});
