import { compileExpression } from "../compile/expression.ts";
import { LiquidError } from "../errors.ts";
import type { Expression } from "../parse/expression.ts";
import { fragment, fragmentIn, laxExpression, type Piece } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { pieceOf, type Tag } from "../parse/parser.ts";
import { readExpression } from "../parse/read-expression.ts";
import { inspect } from "../values/text.ts";

interface CycleTree {
  readonly name?: Expression;
  readonly values: readonly Expression[];
}

/**
 * The tag `{% cycle 'odd', 'even' %}`, which prints the next value each time. Tags with the same name (`{% cycle 'rows': 1, 2 %}`)
 * share the position, as do unnamed tags with the same literal values.
 */
export const cycle: Tag = (tag, parser) => {
  const tree = parser.read(pieceOf(tag), readStrictly, (piece) => readLaxly(piece, tag.begin));
  const values = tree.values.map(compileExpression);
  const name = tree.name === undefined ? undefined : compileExpression(tree.name);
  const implicitName = nameOfLiterals(tree.values);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      const counts = (context.registers.get("cycle") ?? new Map()) as Map<unknown, number>;
      context.registers.set("cycle", counts);
      const key = name === undefined ? implicitName : name(context);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1 >= values.length ? 0 : count + 1);
      context.print(values[count]?.(context));
    },
  };
};

function nameOfLiterals(values: readonly Expression[]): unknown {
  if (values.some(({ kind }) => kind !== "literal")) return Symbol("cycle");
  return inspect(values.map((value) => (value.kind === "literal" ? value.value : undefined)));
}

function readStrictly(lexer: Lexer): CycleTree {
  const first = readExpression(lexer);
  const isNamed = lexer.takeSign(":");
  const values = [isNamed ? readExpression(lexer) : first];
  while (lexer.takeSign(",")) {
    if (lexer.kind === "end") break;
    values.push(readExpression(lexer));
  }
  lexer.finish();
  return isNamed ? { name: first, values } : { values };
}

function readLaxly({ text, at }: Piece, begin: number): CycleTree {
  const named = new RegExp(`^\\s*(${fragment})\\s*:\\s*`).exec(text);
  const values: Expression[] = [];
  for (let from = named?.[0].length ?? 0; from <= text.length; ) {
    const comma = text.indexOf(",", from);
    const end = comma < 0 ? text.length : comma;
    const found = fragmentIn({ text: text.slice(from, end), at: at + from });
    if (found !== undefined) values.push(laxExpression(found));
    from = end + 1;
  }
  if (values.length === 0 && named === null)
    throw new LiquidError(
      "syntax",
      "Syntax Error in 'cycle' - Valid syntax: cycle [name :] var [, var2, var3 ...]",
      begin,
    );
  return named === null ? { values } : { name: laxExpression({ text: named[1] ?? "", at }), values };
}
