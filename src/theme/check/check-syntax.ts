import { createEngine, LiquidError, type Tag } from "@vitrine/liquid";
import { type Condition, markupOf, operators, parseLaxCondition, readMarkup } from "@vitrine/liquid/tree";
import type { CheckContext, Reporter } from "./check-context.ts";

/**
 * Parses every Liquid file with the render engine's parser. Unknown tags are ignored, because another check reports
 * them.
 */
export function checkSyntax(context: CheckContext): void {
  for (const file of context.theme.folder.texts.keys()) if (file.endsWith(".liquid")) checkFile(context, file);
}

function checkFile(context: CheckContext, file: string): void {
  const { liquid: source } = context.theme.source(file);
  const report = context.createReporter("syntax", file, { text: source });
  const tags = new Map(context.theme.liquid.tags);
  // Each attempt finds one unknown tag. The limit prevents an infinite loop.
  for (let attemptCount = 0; attemptCount < 200; attemptCount += 1) {
    try {
      const { syntaxErrors } = createEngine({ tags: Object.fromEntries(tags) }).parse(source, file);
      reportSyntaxErrors(source, syntaxErrors, report);
      return;
    } catch (error) {
      if (!LiquidError.is(error, "syntax")) throw error;
      if (addUnknownTag(tags, error.detail, source)) continue;
      report("error", error.offset, error.detail);
      return;
    }
  }
}

/** Reports markup that the lenient parser skips, and conditions that fail at render time. */
function reportSyntaxErrors(source: string, errors: readonly LiquidError[], report: Reporter): void {
  const offsets = errors.map(({ offset }) => offset);
  if (offsets.length === 0) return;
  for (const token of readMarkup(source)) {
    if (!offsets.some((offset) => offset >= token.begin && offset <= token.end)) continue;
    const operator = conditionTags.has(token.name)
      ? findUnknownOperator(parseLaxCondition(markupOf(token)))
      : undefined;
    if (operator !== undefined) report("error", token.begin, `unknown operator "${operator}": the tag renders nothing`);
    else if (token.kind === "output" || conditionTags.has(token.name) || tagsWithValue.has(token.name)) {
      const text = token.markup.trim();
      report("warning", token.begin, `"${text}" is malformed; the unreadable parts are ignored`);
    }
  }
}

const conditionTags = new Set(["if", "unless", "elsif"]);
const tagsWithValue = new Set(["assign", "echo", "case"]);

function findUnknownOperator({ operator, next }: Condition): string | undefined {
  if (operator !== undefined && !operators.has(operator)) return operator;
  return next === undefined ? undefined : findUnknownOperator(next);
}

/**
 * Defines the unknown tag that an error message names, so that parsing can continue.  @returns whether a tag was added
 */
function addUnknownTag(tags: Map<string, Tag>, message: string, source: string): boolean {
  const tagName = /^Unknown tag '(\w+)'$/.exec(message)?.[1];
  if (tagName === undefined || tags.has(tagName) || tagName.startsWith("end")) return false;
  const hasBody = new RegExp(`\\{%-?\\s*end${tagName}\\b`).test(source);
  tags.set(tagName, (tag, parser) => {
    if (hasBody) parser.body(tag);
    return { at: tag.begin, isBlank: true, render: () => {} };
  });
  return true;
}

/**
 * Reports files that are not valid UTF-8 or that begin with a byte order mark. Invalid bytes are replaced by U+FFFD, so
 * the original characters are lost.
 */
export function checkEncoding(context: CheckContext): void {
  for (const [file, text] of context.theme.folder.texts) {
    const report = context.createReporter("encoding", file);
    if (text.startsWith("\uFEFF")) report("warning", 0, "begins with a byte order mark: save it as UTF-8 without one");
    const offset = text.indexOf("\uFFFD");
    if (offset >= 0)
      report("error", offset, "is not valid UTF-8 here, and a character is lost: save the file as UTF-8");
  }
}
