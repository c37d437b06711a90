import { compileExpression } from "../compile/expression.ts";
import { LiquidError } from "../errors.ts";
import { pieceOf, type Tag } from "../parse/parser.ts";
import { plainValue } from "../values/drop.ts";
import { compileArguments, defaultName, readCall, readLaxCall, withLocals } from "./snippet-call.ts";

/**
 * `{% include 'card' %}`, `{% include 'card' with product, size: 2 %}`: renders a snippet that shares the surrounding
 * variables. Its name may be any expression. The bound value defaults to the variable with the snippet's name.
 */
export const include: Tag = (tag, parser) => {
  const call = parser.read(pieceOf(tag), readCall, readLaxCall);
  if (call === undefined)
    throw new LiquidError(
      "syntax",
      "Error in tag 'include' - Valid syntax: include '[template]' (with|for) [object|collection]",
      tag.begin,
    );
  const nameOf = compileExpression(call.name);
  const bound = call.bound === undefined ? undefined : compileExpression(call.bound);
  const args = compileArguments(call.args);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      if (context.isIsolated) throw new LiquidError("render", "include usage is not allowed in this context");
      const name = plainValue(nameOf(context));
      if (typeof name !== "string")
        throw new LiquidError("render", "Argument error in tag 'include' - Illegal template name");
      const partial = context.partial(name);
      const variable = call.alias ?? defaultName(name);
      const value = bound === undefined ? context.variable(name) : bound(context);
      const { locals } = context;
      withLocals(context, [...args.map(([key]) => key), variable], () => {
        for (const [key, read] of args) locals.set(key, read(context) ?? null);
        for (const item of Array.isArray(value) ? value : [value]) {
          locals.set(variable, item ?? null);
          context.renderPartial(partial, context);
        }
      });
    },
  };
};
