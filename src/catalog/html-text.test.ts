import assert from "node:assert/strict";
import { test } from "node:test";
import { extractText } from "./html-text.ts";

test("tags, comments, scripts and styles are removed, in any case", () => {
  const html = "<p>Warm &amp; dry<script>var x = 'no'</script><!-- no --> 3 < 4 &#233;</p>";
  assert.equal(extractText(html), "Warm & dry 3 < 4 é");
  for (const [open, close] of [
    ["<Script>", "</sCRIPT>"],
    ["<SCRIPT type='x'>", "</script >"],
    ["<style>", "</Style\n>"],
  ] as const)
    assert.equal(extractText(`before ${open} if (a < b) {} ${close} after`), "before after", open);
  assert.equal(extractText("before <script>no </scripts> no"), "before");
});

test("character references are decoded", () => {
  for (const [html, text] of [
    ["br&ucirc;l&eacute;e", "brûlée"],
    ["don&rsquo;t &ndash; &euro;5&hellip;", "don’t – €5…"],
    ["&Ccaron;esk&yacute; &Lstrok;&oacute;d&zacute; &szlig; &AElig;r&oslash;", "Český Łódź ß Ærø"],
    ["&Alpha;&omega;&sigmaf;&sigma;", "Αωςσ"],
    ["&#233; &#xE9; &#Xe9; &#146;", "é é é ’"],
    ["&amp;lt;b&amp;gt; AT&T &unknown; &;", "&lt;b&gt; AT&T &unknown; &;"],
    ["&xcirc; &CounterClockwiseContourIntegral;", "◯ ∳"],
    ["a&#0;b&#xd800;c&#x110000;d&#129;e", "a b c d e"],
  ] as const)
    assert.equal(extractText(html), text);
});

test("every text is converted in linear time", () => {
  for (const fragment of ["<", "<!--", "<script>", "</script", "<Style>", "<b", "&#x110000;", "&#0;", "&a"]) {
    // Measure CPU time, because it does not depend on other load. A scanner that rescans the text for each character
    // would take minutes.
    const startUsage = process.cpuUsage();
    extractText(fragment.repeat(100_000));
    const { user, system } = process.cpuUsage(startUsage);
    assert.ok(user + system < 2_000_000, fragment);
  }
});
