import { compileExpression } from "../compile/expression.ts";
import { LiquidError } from "../errors.ts";
import type { Expression } from "../parse/expression.ts";
import { findFragment, fragmentSource, type MarkupPart, parseLaxExpression } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { markupOf, type Tag } from "../parse/parser.ts";
import { readExpression } from "../parse/read-expression.ts";
import { inspect } from "../values/text.ts";

interface ParsedCycleTag {
  readonly name?: Expression;
  readonly values: readonly Expression[];
}

/**
 * The tag `{% cycle 'odd', 'even' %}`, which prints the next of its values at each call. Tags with the same name (`{%
 * cycle 'rows': 1, 2 %}`) advance together. Tags without a name advance together if their values are the same literals.
 */
export const parseCycleTag: Tag = (tag, parser) => {
  const tree = parser.parseMarkup(markupOf(tag), readStrictCycle, (markupPart) => parseLaxCycle(markupPart, tag.begin));
  const values = tree.values.map(compileExpression);
  const name = tree.name === undefined ? undefined : compileExpression(tree.name);
  const defaultName = buildCycleName(tree.values);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      const counts = (context.registers.get("cycle") ?? new Map()) as Map<unknown, number>;
      context.registers.set("cycle", counts);
      const key = name === undefined ? defaultName : name(context);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1 >= values.length ? 0 : count + 1);
      context.print(values[count]?.(context));
    },
  };
};

function buildCycleName(values: readonly Expression[]): unknown {
  if (values.some(({ kind }) => kind !== "literal")) return Symbol("cycle");
  return inspect(values.map((value) => (value.kind === "literal" ? value.value : undefined)));
}

function readStrictCycle(lexer: Lexer): ParsedCycleTag {
  const firstValue = readExpression(lexer);
  const hasName = lexer.skipSign(":");
  const values = [hasName ? readExpression(lexer) : firstValue];
  while (lexer.skipSign(",")) {
    if (lexer.kind === "end") break;
    values.push(readExpression(lexer));
  }
  lexer.expectEnd();
  return hasName ? { name: firstValue, values } : { values };
}

function parseLaxCycle({ text, at }: MarkupPart, start: number): ParsedCycleTag {
  const groupNameMatch = new RegExp(`^\\s*(${fragmentSource})\\s*:\\s*`).exec(text);
  const values: Expression[] = [];
  for (let position = groupNameMatch?.[0].length ?? 0; position <= text.length; ) {
    const commaIndex = text.indexOf(",", position);
    const end = commaIndex < 0 ? text.length : commaIndex;
    const valueFragment = findFragment({ text: text.slice(position, end), at: at + position });
    if (valueFragment !== undefined) values.push(parseLaxExpression(valueFragment));
    position = end + 1;
  }
  if (values.length === 0 && groupNameMatch === null)
    throw new LiquidError(
      "syntax",
      "Syntax Error in 'cycle' - Valid syntax: cycle [name :] var [, var2, var3 ...]",
      start,
    );
  return groupNameMatch === null
    ? { values }
    : { name: parseLaxExpression({ text: groupNameMatch[1] ?? "", at }), values };
}
