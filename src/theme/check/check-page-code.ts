import {
  createWrapperIdPattern,
  getSectionPrefix,
  listAssetTexts,
  shopifyIdPrefix,
  storeIdPrefix,
} from "../files/section-prefix.ts";
import type { CheckContext } from "./check-context.ts";

/**
 * Reports code that does not work in the pages of this shop: section ids of other shop systems, cart writes without the
 * CSRF token, and inline code that requires a relaxed content security policy.
 */
export function checkPageCode(context: CheckContext): void {
  for (const [file, text] of context.theme.folder.texts) {
    checkWrapperIds(context, file, text);
    if (!file.endsWith(".liquid")) continue;
    checkCartWrites(context, file, text);
    if (file.startsWith("assets/")) continue;
    checkInlineCode(context, file);
    checkCartInputs(context, file);
  }
  for (const [file, text] of listAssetTexts(context.theme.folder)) {
    checkWrapperIds(context, file, text);
    if (!file.endsWith(".css")) checkCartWrites(context, file, text);
  }
}

function checkWrapperIds(context: CheckContext, file: string, text: string): void {
  const sectionPrefix = getSectionPrefix(context.theme, context.compat);
  const isRenamed = sectionPrefix !== shopifyIdPrefix;
  const otherPrefix = isRenamed ? shopifyIdPrefix : storeIdPrefix;
  const advice = isRenamed ? ', or set "compat: true" in vitrine.config.ts for a theme made for Shopify' : "";
  const report = context.createReporter("wrapper-id", file, { text });
  for (const { index, 0: match } of text.matchAll(createWrapperIdPattern(otherPrefix)))
    report(
      "error",
      index + match.indexOf(otherPrefix),
      `the ids of sections start with "${sectionPrefix}": use that instead of "${otherPrefix}"${advice}`,
    );
  for (const { index } of text.matchAll(new RegExp(`${otherPrefix}group-`, "g")))
    report(
      "warning",
      index,
      `the class of a group's sections starts with "${sectionPrefix}group-": use that instead of "${otherPrefix}group-"${advice}`,
    );
}

const cartWritePatterns = [
  // Matches fetch(`${routes.cart_add_url}`, …), fetch("/cart/change.js", …), axios.post, $.post, and jQuery.ajax.
  /(?:\bfetch|\baxios(?:\.post)?|(?:\$|\bjQuery)\.(?:post|ajax|getJSON))\s*\(\s*[^;]{0,160}?(?:cart_(?:add|change|update|clear)_url|\/cart\/(?:add|change|update|clear)\b)/g,
  // Matches xhr.open("POST", "/cart/add.js").
  /\.open\s*\(\s*["'`]post["'`]\s*,\s*[^;]{0,120}?(?:cart_(?:add|change|update|clear)_url|\/cart\/(?:add|change|update|clear)\b)/gi,
];

/**
 * Reports scripts that write to the cart without the CSRF token. A script that contains the header's name or uses the
 * client `vitrine.js` is valid.
 */
function checkCartWrites(context: CheckContext, file: string, text: string): void {
  if (context.compat.script || /x-csrf-token|vitrine\.js/i.test(text)) return;
  const report = context.createReporter("cart-token", file, { text });
  for (const pattern of cartWritePatterns)
    for (const { index } of text.matchAll(pattern))
      report(
        "error",
        index,
        'writes to the cart without the header "x-csrf-token", which is refused: set "compat: true" in vitrine.config.ts, or send the header',
      );
}

const inlineScriptPattern =
  /<script(?![^>]*\ssrc\s*=)(?![^>]*type\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/template))[^>]*>/gi;
const handlerPattern = /<[a-z][^<>]*?\s(on[a-z]{3,20})\s*=\s*["']/gi;

function checkInlineCode(context: CheckContext, file: string): void {
  const text = context.markup(file);
  const report = context.createReporter("inline-code", file, { text });
  const warn = (offset: number, syntaxName: string): void =>
    report(
      "warning",
      offset,
      `${syntaxName}: pages of this theme are served with a looser content security policy; move it into a file of assets/`,
    );
  for (const { index } of text.matchAll(inlineScriptPattern)) warn(index, "inline script");
  for (const { index, 0: tag, 1: name = "" } of text.matchAll(handlerPattern))
    warn(index + tag.lastIndexOf(name), "inline event handler");
}

/**
 * Matches the name of a form field that the cart does not store, up to the first Liquid: `name="attributes[gift]"`,
 * `name="selling_plan"`, `name="items[0][engraving]"`.
 */
const cartInputPattern =
  /(?<![\w[-])name\s*=\s*["']((?:items\[\d*\]\[(?!(?:id|quantity|properties|parent_id|parent_line_key)\]))?((?<=items\[\d*\]\[)[^\]"'{]+|attributes(?=\[)|selling_plan)(?=["'[\]])[^"'{]*)/g;

const cartInputMessages: Readonly<Record<string, (name: string) => string>> = {
  attributes: (name) => `the cart stores no attributes, so "${name}" is lost: use the note or properties of the line`,
  selling_plan: () =>
    'the cart takes no "selling_plan": a write with a value in it is refused, an empty one is accepted',
};

function checkCartInputs(context: CheckContext, file: string): void {
  const text = context.markup(file);
  const report = context.createReporter("cart-input", file, { text });
  for (const { index, 0: match, 1: name = "", 2: field = "" } of text.matchAll(cartInputPattern))
    report(
      "warning",
      index + match.length - name.length,
      cartInputMessages[field]?.(name.trimEnd()) ??
        `the cart does not store "${name.trimEnd()}": use properties of the item`,
    );
}
