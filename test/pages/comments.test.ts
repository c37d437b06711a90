import assert from "node:assert/strict";
import { test } from "node:test";
import { run as contactsCommand } from "../../src/cli/commands/contacts.ts";
import { article, rows } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

let now = Date.parse("2026-06-01T09:00:00Z");
const themeFiles = {
  "templates/article.liquid":
    "{{ article.comments_enabled? }} {{ article.moderated? }} {{ article.comments_count }} {{ article.comment_post_url }};{% paginate article.comments by 2 %}{% for comment in article.comments %}[{{ comment.author }}|{{ comment.content }}|{{ comment.status }}|{{ comment.created_at | date: '%Y-%m-%d' }}|{{ comment.url | split: '#' | first }}]{% endfor %}{{ paginate.pages }}{% endpaginate %}{% form 'new_comment', article %}{{ form.posted_successfully? }}{% endform %}",
  "templates/blog.liquid":
    "{{ blog.comments_enabled? }} {{ blog.moderated? }}{% for article in blog.articles %} {{ article.handle }}={{ article.comments_count }},{{ article.comments.size }}{% endfor %}",
};
const content = [...rows, article(510, "tea&thé", "Tea & rope", "2026-01-03T00:00:00Z")];
const shop = await startShop({ rows: content, now: () => now, themeFiles });

async function write(path: string, author: string, body: string): Promise<string> {
  now += 3_600_000;
  const client = shop.client();
  const csrf_token = await client.token();
  const fields = { csrf_token, "comment[author]": author, "comment[email]": "a@b.example", "comment[body]": body };
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-mode": "navigate",
    origin: shop.origin,
  };
  const reply = await client.send("POST", path, { headers, body: new URLSearchParams(fields).toString() });
  assert.equal(reply.status, 303, reply.text);
  return String(
    (await command("--json", "--kind", "comment")).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id)
      .at(-1),
  );
}

async function command(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io = {
    cwd: shop.storeDir,
    env: shop.env,
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  };
  const code = await contactsCommand(args, io as never);
  return { code, out, err };
}

/** Pages are cached for a moment, and comment counts for two seconds. */
async function eventually(path: string, pattern: RegExp): Promise<string> {
  return until(async () => {
    now += 60_000;
    const { text } = await shop.client().get(path);
    assert.match(text, pattern);
    return text;
  }, `${path} has ${pattern}`);
}

test("approved comments are shown escaped, oldest first, in pages", async () => {
  const path = "/blogs/journal/rain-at-sea";
  const first = await write(`${path}/comments`, "Grace <b>", "Wet <script>\nand cold\n\n{{ 7 }}");
  const second = await write(`/fr${path}/comments`, "Ada", "Oui");
  const third = await write(`${path}/comments`, "Bob", "Dry");
  assert.match((await shop.client().get(path)).text, /true true 0 \/blogs\/journal\/rain-at-sea\/comments;1/);
  const approved = await command("--approve", third, first, second);
  assert.deepEqual(approved, { code: 0, out: "Approved: 3.\n", err: "" });
  const text = await eventually(path, /true true 3/);
  assert.match(
    text,
    /;\[Grace &lt;b&gt;\|<p>Wet &lt;script&gt;<br>and cold<\/p><p>\{\{ 7 \}\}<\/p>\|published\|2026-06-01\|\/blogs\/journal\/rain-at-sea\]\[Ada\|<p>Oui<\/p>/,
  );
  assert.match(text, /\]2<form/);
  assert.match(
    await eventually(`/fr${path}?page=2`, /Bob/),
    /3 \/fr\/blogs\/journal\/rain-at-sea\/comments;\[Bob\|<p>Dry/,
  );
  assert.match(await eventually("/blogs/journal", /rain-at-sea=3,0/), /true true/);
  assert.match((await command("--kind", "comment")).out, /comment \(shown\) {2}a@b\.example/);
  assert.equal((await command("--remove", second)).code, 0);
  await eventually(path, /true true 2/);
});

test("comments belong to their article, also if its handle needs escaping", async () => {
  const id = await write("/blogs/journal/tea%26th%C3%A9/comments", "Eve", "Nice");
  await command("--approve", id);
  assert.match(await eventually("/blogs/journal/tea%26th%C3%A9", /Eve/), /true true 1/);
});

test("other messages cannot be approved as comments", async () => {
  const { code, out, err } = await command("--approve", "no-such");
  assert.deepEqual([code, out], [1, "Approved: 0.\n"]);
  assert.match(err, /not comments/);
  assert.equal((await command("--approve")).code, 2);
  assert.equal((await command("--approve", "--remove", "x")).code, 2);
});

test("comments are off by default", async () => {
  const closed = await startShop({ config: { comments: false }, themeFiles });
  assert.match((await closed.client().get("/blogs/journal/rain-at-sea")).text, /false false 0/);
  const client = closed.client();
  const csrf_token = await client.token();
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: closed.origin };
  const body = new URLSearchParams({
    csrf_token,
    "comment[author]": "A",
    "comment[email]": "a@b.example",
    "comment[body]": "x",
  });
  const reply = await client.send("POST", "/blogs/journal/rain-at-sea/comments", { headers, body: body.toString() });
  assert.equal(reply.status, 404);
});
