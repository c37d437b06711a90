import type { ThemeUnderCheck } from "./theme-under-check.ts";

/** What stands in pages and scripts and does not work here: other stores' wrapper ids, writes without the token,
 *  code that a content security policy has to be loosened for. */
export function checkPageCode(check: ThemeUnderCheck): void {
  for (const [file, text] of check.theme.folder.texts) {
    checkWrapperIds(check, file, text);
    if (!file.endsWith(".liquid")) continue;
    checkCartWrites(check, file, text);
    if (!file.startsWith("assets/")) checkInlineCode(check, file);
  }
  for (const [file, text] of check.assetTexts()) {
    checkWrapperIds(check, file, text);
    if (!file.endsWith(".css")) checkCartWrites(check, file, text);
  }
}

/** As an id: `#shopify-section-x`, `id="shopify-section-x"`, or put together with one. A class of that name is the theme's own. */
const wrapperId =
  /(?:#|(?<![\w-])id\s*=\s*["']?|getElementById\(\s*["'`])shopify-section-|(?<!\.)shopify-section-(?=["'`]|\$\{|\{\{)/g;

function checkWrapperIds(check: ThemeUnderCheck, file: string, text: string): void {
  for (const { index, 0: found } of text.matchAll(wrapperId))
    check.add(
      "fault",
      "wrapper-id",
      check.place(file, index + found.indexOf("shopify"), text),
      `sections stand in elements whose ids begin with "store-section-": write that for "shopify-section-"`,
    );
  for (const { index } of text.matchAll(/shopify-section-group-/g))
    check.add(
      "warning",
      "wrapper-id",
      check.place(file, index, text),
      `the class of a group's sections begins with "store-section-group-" here, where "compat" is on: write that for "shopify-section-group-"`,
    );
}

const cartWrites = [
  // fetch(`${routes.cart_add_url}`, …), fetch("/cart/change.js", …), axios.post, $.post, jQuery.ajax
  /(?:\bfetch|\baxios(?:\.post)?|(?:\$|\bjQuery)\.(?:post|ajax|getJSON))\s*\(\s*[^;]{0,160}?(?:cart_(?:add|change|update|clear)_url|\/cart\/(?:add|change|update|clear)\b)/g,
  // xhr.open("POST", "/cart/add.js")
  /\.open\s*\(\s*["'`]post["'`]\s*,\s*[^;]{0,120}?(?:cart_(?:add|change|update|clear)_url|\/cart\/(?:add|change|update|clear)\b)/gi,
];

/** A script that names the header, or writes through the client, is taken for one that knows. */
function checkCartWrites(check: ThemeUnderCheck, file: string, text: string): void {
  if (check.hasCompatScript || /x-csrf-token|vitrine\.js/i.test(text)) return;
  for (const pattern of cartWrites)
    for (const { index } of text.matchAll(pattern))
      check.add(
        "fault",
        "cart-token",
        check.place(file, index, text),
        'writes to the cart without the header "x-csrf-token", which is refused: set "compat: true" in vitrine.config.ts, or send the header',
      );
}

const inlineScript =
  /<script(?![^>]*\ssrc\s*=)(?![^>]*type\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/template))[^>]*>/gi;
const handler = /<[a-z][^<>]*?\s(on[a-z]{3,20})\s*=\s*["']/gi;

function checkInlineCode(check: ThemeUnderCheck, file: string): void {
  const { liquid } = check.theme.source(file);
  const text = liquid.replace(/\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}|<!--[\s\S]*?-->/g, (part) =>
    part.replace(/[^\n]/g, " "),
  );
  const warn = (offset: number, what: string): void =>
    check.add(
      "warning",
      "inline-code",
      check.place(file, offset, liquid),
      `${what}: pages of this theme are served with a looser content security policy; move it into a file of assets/`,
    );
  for (const { index } of text.matchAll(inlineScript)) warn(index, "inline script");
  for (const { index, 0: tag, 1: name = "" } of text.matchAll(handler))
    warn(index + tag.lastIndexOf(name), "inline event handler");
}
