import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { addStyles, rewriteHtml } from "./content-html.ts";
import { sanitizeStyle } from "./content-styles.ts";

test("a style keeps text formatting and nothing that loads, moves or names a typeface", () => {
  const formatAllowedStyle = (style: string) => {
    const { commonDeclarations, lightSchemeDeclarations } = sanitizeStyle(style);
    return [...commonDeclarations, ...lightSchemeDeclarations.map((declaration) => `light ${declaration}`)].join("; ");
  };
  for (const [style, expectedOutput] of [
    ["TEXT-ALIGN: Center !important; margin:0 auto", "text-align:center; margin:0 auto"],
    ["color: rgb(51, 51, 51)", "light color:rgb(51, 51, 51)"],
    ["color:#fff;background:#000", "color:#fff; background-color:#000"],
    ["background: url(https://x.example/a.png)", ""],
    ["position:fixed;top:0;z-index:9;font-family:Arial", ""],
    ["width:100%;height:0;padding-bottom:56.25%", "width:100%; max-width:100%"],
    ["width:calc(100% + 9px);margin-left:-20px;font-size:9999px", ""],
    ["font-size:14px;line-height:1.5;letter-spacing:.5px", "font-size:14px; line-height:1.5; letter-spacing:.5px"],
    [
      "border:1px solid rgba(0,0,0,.1);border-collapse:collapse",
      "border:1px solid rgba(0,0,0,.1); border-collapse:collapse",
    ],
    ["color:red}body{display:none", ""],
    ["color:expression(alert(1));--x:1;content:'a'", ""],
  ] as const)
    assert.equal(formatAllowedStyle(style), expectedOutput, style);
});

test("text that is not an element stays unchanged, and so does a page without styles and frames", () => {
  for (const html of [
    "<p>plain</p>",
    '<script>const a = "<p style=\\"color:red\\">";</script>',
    "<!-- <p style='color:red'> --><textarea><iframe src=x></textarea>",
    "a < b, style = x <",
    '<p title=" style=none">x</p>',
  ])
    assert.deepEqual(rewriteHtml(html), { html, css: "", frames: [] }, html);
});

test("attributes other than the style stay unchanged, with any content", () => {
  const { html } = rewriteHtml(
    `<a href="?a=1&amp;b='2'" class='x "y"' data-z style=color:red hidden>q</a><br style="clear:both"/>`,
  );
  assert.match(
    html,
    /^<a class="x &quot;y&quot; v-\w{10}" href="\?a=1&amp;b=&#39;2&#39;" data-z hidden>q<\/a><br class="v-\w{10}" \/>$/,
  );
});

test("videos use players without tracking, and other frames become links", () => {
  const createFrame = (src: string) =>
    /src="([^"]*)"|href="([^"]*)"/.exec(rewriteHtml(`<iframe src="${src}"></iframe>`).html);
  for (const [src, expectedOutput] of [
    [
      "//www.youtube.com/embed/dQw4w9WgXcQ?rel=0&amp;start=10",
      "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=10",
    ],
    ["https://youtu.be/dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
    [
      "https://player.vimeo.com/video/76979871?h=8272103f6e",
      "https://player.vimeo.com/video/76979871?h=8272103f6e&amp;dnt=1",
    ],
    ["https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"],
    ["https://youtube.com.evil.example/embed/dQw4w9WgXcQ", "https://youtube.com.evil.example/embed/dQw4w9WgXcQ"],
  ] as const)
    assert.deepEqual(
      createFrame(src)
        ?.slice(1)
        .filter((declaration) => declaration !== undefined),
      [expectedOutput],
      src,
    );
  for (const src of ["javascript:alert(1)", "data:text/html,x", "/own", ""])
    assert.equal(rewriteHtml(`a<iframe src="${src}">b</iframe>c`).html, "ac", src);
});

test("any text is processed in time, and no style or foreign frame passes", () => {
  const piece = fc.constantFrom(
    "<",
    ">",
    '"',
    "'",
    "<p style=",
    "<iframe src=",
    "</iframe>",
    "color:red",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    " ",
    "x",
    "/>",
    "=",
    "<p class='a' style='width:1px'>",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { html, css } = rewriteHtml(pieces.join(""));
      assert.ok(html.length <= pieces.join("").length + 400 * pieces.length);
      assert.doesNotMatch(css, /[<\\]|url|@import/);
      // Converting the result again finds no more styles in elements.
      assert.equal(rewriteHtml(html).css.includes("width:1px"), false);
    }),
  );
  const longHtml = `<p style="${"a".repeat(50_000)}`.repeat(40);
  assert.equal(rewriteHtml(longHtml).html.length > 0, true);
});

test("the style element is in the head, and its hash matches its content", () => {
  const { html, hash } = addStyles("<head><title>x</title></HEAD><body>", "a{}");
  assert.equal(html, "<head><title>x</title><style>a{}</style></HEAD><body>");
  assert.match(hash ?? "", /^'sha256-.{44}'$/);
  assert.deepEqual(addStyles("<p>", ""), { html: "<p>" });
});
