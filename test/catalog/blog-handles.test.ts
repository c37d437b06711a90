import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { article } from "../support/catalog.ts";
import { vitrine } from "../support/server-process.ts";
import { startShop, toJsonl } from "../support/shop.ts";

const inBlog = (blog: string, title: string, id?: number) => {
  const { id: _, ...row } = article(0, "welcome", title, "2026-01-02T00:00:00Z");
  return { ...row, blog, ...(id === undefined ? {} : { id }) };
};
const rows = [inBlog("news", "News welcome"), inBlog("journal", "Journal welcome"), inBlog("tips", "Tips welcome", 77)];
const shop = await startShop({
  rows,
  themeFiles: { "templates/article.liquid": "{{ article.title }} of {{ blog.title }}" },
});

test("two blogs may have an article with the same handle", async () => {
  const client = shop.client();
  for (const [path, title] of [
    ["/blogs/news/welcome", "News welcome"],
    ["/blogs/journal/welcome", "Journal welcome"],
    ["/blogs/tips/welcome", "Tips welcome"],
  ] as const)
    assert.match((await client.get(path)).text, new RegExp(`${title} of`));
  assert.equal((await client.get("/blogs/none/welcome")).status, 404);
});

test("an import keeps article ids, and handles are unique within a blog", async () => {
  const file = join(shop.storeDir, "articles.jsonl");
  const run = async (more: readonly object[]) => {
    await writeFile(file, toJsonl([...rows, ...more] as never));
    return vitrine(["import", "--store", shop.storeDir, file, "--dry-run"], "", shop.env).finished;
  };
  const secondImport = await run([]);
  assert.equal(secondImport.code, 0, secondImport.stderr);
  assert.match(secondImport.stdout, /\b0\b|nothing/i, secondImport.stdout);
  const twice = await run([inBlog("news", "Another", 78)]);
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /articles\.jsonl:4: handle: "welcome" is also used on line 1/);
  await writeFile(file, toJsonl([inBlog("tips", "Another", 79)] as never));
  const conflictResult = await vitrine(["import", "--store", shop.storeDir, file, "--dry-run"], "", shop.env).finished;
  assert.match(conflictResult.stderr, /"welcome" is already used by the article 77 in the store/);
  await writeFile(file, toJsonl([inBlog("recipes", "Recipes welcome")] as never));
  const alone = await vitrine(["import", "--store", shop.storeDir, file, "--dry-run"], "", shop.env).finished;
  assert.match(alone.stderr, /articles\.jsonl:1: id: the derived id belongs to the article news\/welcome in the store/);
});
