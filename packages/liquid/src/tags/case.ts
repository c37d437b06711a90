import { type CompiledCondition, compileEquality } from "../compile/condition.ts";
import { LiquidError } from "../errors.ts";
import { removeBlankTexts } from "../parse/body.ts";
import type { Expression } from "../parse/expression.ts";
import { findFragment, fragmentSource, type MarkupPart, parseLaxExpression } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { markupOf, type Tag } from "../parse/parser.ts";
import { readExpression } from "../parse/read-expression.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { readBranches } from "./branches.ts";

/**
 * The tag `{% case x %}{% when 1, 2 or 3 %}…{% else %}…{% endcase %}`. Renders every branch that has a value equal to
 * x. Renders `else` if no earlier branch was rendered.
 */
export const parseCaseTag: Tag = (tag, parser) => {
  const subject = convertKeywordToText(parser.parseMarkup(markupOf(tag), readValue, parseLaxSubject));
  const [, ...branches] = readBranches(tag, parser, ["when", "else"]);
  const compiledBranches = branches.map(({ openingTag, body }) => ({
    tests:
      openingTag.name === "else"
        ? requireEmptyElse(openingTag)
        : parser
            .parseMarkup(markupOf(openingTag), readValues, parseLaxValues)
            .map((value) => compileEquality(subject, value)),
    body,
  }));
  return {
    at: tag.begin,
    isBlank: removeBlankTexts(branches.map(({ body }) => body)),
    render: (context) => {
      let hasMatch = false;
      for (const { tests, body } of compiledBranches) {
        if (tests === undefined) {
          if (!hasMatch) body.render(context);
          continue;
        }
        for (const test of tests) {
          if (!test(context)) continue;
          hasMatch = true;
          body.render(context);
        }
      }
    },
  };
};

/** Replaces the keywords `blank` and `empty` with an empty string, which is their value in a `case` tag. */
function convertKeywordToText(expression: Expression): Expression {
  if (expression.kind !== "literal" || expression.keyword === undefined) return expression;
  return { kind: "literal", at: expression.at, value: expression.value };
}

function requireEmptyElse({ markup, begin }: MarkupToken): CompiledCondition[] | undefined {
  if (markup.trim() === "") return undefined;
  throw new LiquidError(
    "syntax",
    "Syntax Error in tag 'case' - Valid else condition: {% else %} (no parameters) ",
    begin,
  );
}

function readValue(lexer: Lexer): Expression {
  const value = readExpression(lexer);
  lexer.expectEnd();
  return value;
}

function parseLaxSubject(markupPart: MarkupPart): Expression {
  const valueMarkup = findFragment(markupPart);
  if (valueMarkup === undefined)
    throw new LiquidError("syntax", "Syntax Error in 'case' - Valid syntax: case [condition]", markupPart.at);
  return parseLaxExpression(valueMarkup);
}

/** Parses the values of `when`: `1, 2 or 3`. */
function readValues(lexer: Lexer): Expression[] {
  const values = [readExpression(lexer)];
  while (lexer.skipWord("or") || lexer.skipSign(",")) values.push(readExpression(lexer));
  lexer.expectEnd();
  return values;
}

function parseLaxValues(markupPart: MarkupPart): Expression[] {
  const values: Expression[] = [];
  for (let valueOffset = 0; ; ) {
    const match = valuePattern.exec(markupPart.text.slice(valueOffset));
    if (match === null) {
      const detail = "Syntax Error in tag 'case' - Valid when condition: {% when [condition] [or condition2...] %}";
      throw new LiquidError("syntax", detail, markupPart.at);
    }
    const [matchText, valueText = "", separator = ""] = match;
    values.push(parseLaxExpression({ text: valueText, at: markupPart.at + valueOffset + match.index }));
    if (separator === "") return values;
    valueOffset += match.index + matchText.length;
  }
}

const valuePattern = new RegExp(`(${fragmentSource})(\\s+or\\s+(?=${fragmentSource})|\\s*,\\s*(?=${fragmentSource}))?`);
