import { compileEqual, type Test } from "../compile/condition.ts";
import { LiquidError } from "../errors.ts";
import { dropBlanks } from "../parse/body.ts";
import type { Expression } from "../parse/expression.ts";
import { fragment, fragmentIn, laxExpression, type Piece } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { pieceOf, type Tag } from "../parse/parser.ts";
import { readExpression } from "../parse/read-expression.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { readBranches } from "./branches.ts";

/**
 * The tag `{% case x %}{% when 1, 2 or 3 %}…{% else %}…{% endcase %}`. Renders every branch with an equal value.
 * Renders `else` if no earlier branch matched.
 */
export const caseTag: Tag = (tag, parser) => {
  const subject = plain(parser.read(pieceOf(tag), readValue, laxSubject));
  const [, ...branches] = readBranches(tag, parser, ["when", "else"]);
  const arms = branches.map(({ opener, body }) => ({
    tests:
      opener.name === "else"
        ? requireEmpty(opener)
        : parser.read(pieceOf(opener), readValues, laxValues).map((value) => compileEqual(subject, value)),
    body,
  }));
  return {
    at: tag.begin,
    isBlank: dropBlanks(branches.map(({ body }) => body)),
    render: (context) => {
      let isFound = false;
      for (const { tests, body } of arms) {
        if (tests === undefined) {
          if (!isFound) body.render(context);
          continue;
        }
        for (const test of tests) {
          if (!test(context)) continue;
          isFound = true;
          body.render(context);
        }
      }
    },
  };
};

/** Converts the keywords `blank` and `empty` to an empty string. */
function plain(expression: Expression): Expression {
  if (expression.kind !== "literal" || expression.word === undefined) return expression;
  return { kind: "literal", at: expression.at, value: expression.value };
}

function requireEmpty({ markup, begin }: MarkupToken): Test[] | undefined {
  if (markup.trim() === "") return undefined;
  throw new LiquidError(
    "syntax",
    "Syntax Error in tag 'case' - Valid else condition: {% else %} (no parameters) ",
    begin,
  );
}

function readValue(lexer: Lexer): Expression {
  const value = readExpression(lexer);
  lexer.finish();
  return value;
}

function laxSubject(piece: Piece): Expression {
  const found = fragmentIn(piece);
  if (found === undefined)
    throw new LiquidError("syntax", "Syntax Error in 'case' - Valid syntax: case [condition]", piece.at);
  return laxExpression(found);
}

/** Parses the values of `when`: `1, 2 or 3`. */
function readValues(lexer: Lexer): Expression[] {
  const values = [readExpression(lexer)];
  while (lexer.takeWord("or") || lexer.takeSign(",")) values.push(readExpression(lexer));
  lexer.finish();
  return values;
}

function laxValues(piece: Piece): Expression[] {
  const values: Expression[] = [];
  for (let at = 0; ; ) {
    const match = value.exec(piece.text.slice(at));
    if (match === null) {
      const detail = "Syntax Error in tag 'case' - Valid when condition: {% when [condition] [or condition2...] %}";
      throw new LiquidError("syntax", detail, piece.at);
    }
    const [whole, found = "", separator = ""] = match;
    values.push(laxExpression({ text: found, at: piece.at + at + match.index }));
    if (separator === "") return values;
    at += match.index + whole.length;
  }
}

const value = new RegExp(`(${fragment})(\\s+or\\s+(?=${fragment})|\\s*,\\s*(?=${fragment}))?`);
