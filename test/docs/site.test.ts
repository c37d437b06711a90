import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildSite } from "../../scripts/site/build.ts";
import { readDocuments } from "../../scripts/site/read-documents.ts";
import { violations } from "../support/axe.ts";
import { openProject } from "../support/package-project.ts";

test("the site of the documents is searched by typing, has two color schemes, and no axe violation", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine site-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // The site is in a subfolder, because links must not depend on the root of the host.
  assert.ok(buildSite(join(folder, "some", "docs")) > 40);
  const { origin, browser } = await openProject(t, { folder });
  const site = `${origin}/some/docs`;
  const page = await browser.newPage();
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(String(error)));
  page.on("response", (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
  });
  const field = page.getByRole("combobox", { name: "Search the documentation" });

  await t.test("a search with a typo leads to a section, by keyboard", async () => {
    await page.goto(`${site}/reference/cli.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("add a synonim");
    await page
      .getByRole("option", { name: /^Add a synonym/ })
      .first()
      .waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /\d results?/ })
      .waitFor({ state: "attached" });
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site}/**/*#add-a-*synonym`);
    await page.goto(`${site}/index.html`);
    await field.fill("zzqqxx");
    await page.getByText("No results for “zzqqxx”").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("status").textContent(), "");
  });

  await t.test("axe finds no violation on a page of each kind, and with open results", async () => {
    const pages = [
      "",
      "tutorials/getting-started",
      "how-to/deployment",
      "reference/configuration",
      "explanation/performance",
    ];
    const otherPages = ["explanation/decisions/0004-own-search-index", "project/index", "project/openapi.yaml"];
    for (const path of [...pages, ...otherPages]) {
      await page.goto(`${site}/${path === "" ? "index" : path}.html`);
      assert.deepEqual(await violations(page, [360, 1_440]), []);
    }
    await page.goto(`${site}/index.html`);
    await field.fill("webhook");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await violations(page, [360, 1_440]), []);
  });

  await t.test("dark mode is saved", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${site}/index.html`);
    const background = (): Promise<unknown> => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.getByRole("button", { name: "Dark mode", pressed: false }).click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.goto(`${site}/how-to/deployment.html`);
    assert.equal(await background(), dark);
    await page.getByRole("button", { name: "Dark mode", pressed: true }).click();
    assert.equal(await background(), light);
  });

  await t.test("on a phone, the documents are in a menu", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Documents" }).getByRole("link", { name: "Scaling" }).click();
    await page.waitForURL(`${site}/how-to/scaling.html`);
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert.equal(await page.evaluate(overflow), 0);
  });
  assert.deepEqual(failures, []);
});

test("a link to a missing file, image, or heading stops the build", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine links-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "README.md"), "# Read me\n\n[Overview](docs/README.md#overview)\n");
  const links = "[a](../README.md#read-me) [b](../README.md#nothing) [c](missing.md) ![d](missing.png) [e](#overview)";
  await writeFile(join(folder, "docs/README.md"), `# Overview\n\n${links}\n`);
  const dead = ["../README.md#nothing", "missing.md", "missing.png"].map((href) => `docs/README.md: ${href}`);
  assert.throws(() => readDocuments(folder), { message: `links without a target:\n${dead.join("\n")}` });
});
