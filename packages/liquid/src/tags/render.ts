import { compileExpression } from "../compile/expression.ts";
import type { Context, Snippet } from "../context.ts";
import { LiquidError } from "../errors.ts";
import { pieceOf, type Tag } from "../parse/parser.ts";
import { Drop, plainValue } from "../values/drop.ts";
import { loopItems } from "../values/items.ts";
import { Range } from "../values/range.ts";
import { itemAt, segmentOf } from "./loop.ts";
import { ForLoop } from "./loop-drop.ts";
import { compileArguments, defaultName, readCall, readLaxCall, withLocals } from "./snippet-call.ts";
import { SnippetMemo } from "./snippet-memo.ts";

/**
 * The tag `render`: `{% render 'card', product: p %}`, `{% render 'card' with p as product %}`, or `{% render 'card' for list as product %}`.
 * Renders a snippet that cannot read the variables of the template.
 */
export const render: Tag = (tag, parser) => {
  const call = parser.read(pieceOf(tag), readCall, readLaxCall);
  if (call?.name.kind !== "literal" || typeof call.name.value !== "string")
    throw new LiquidError("syntax", "Syntax error in tag 'render' - Template name must be a quoted string", tag.begin);
  const name = call.name.value;
  const variable = call.alias ?? defaultName(name);
  const bound = call.bound === undefined ? undefined : compileExpression(call.bound);
  const args = compileArguments(call.args);
  const fixed = call.args.map(({ value }) => (value.kind === "literal" ? value.value : unfixed));
  const memo =
    call.bound === undefined ? new SnippetMemo(args, fixed.includes(unfixed) ? undefined : fixed) : undefined;
  const renderOne = (context: Context, partial: Snippet, item: unknown, forloop?: ForLoop): void => {
    const inner = context.isolated();
    if (forloop !== undefined) inner.assign("forloop", forloop);
    for (const [key, value] of args) inner.assign(key, value(context));
    if (item !== undefined && item !== null) inner.assign(variable, item);
    context.renderPartial(partial, inner);
  };
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      const partial = context.partial(name);
      if (memo?.mayRepeat === true) {
        memo.render(context, partial);
        return;
      }
      const value = bound?.(context);
      if (!call.isEach || !isList(value)) {
        renderOne(context, partial, value);
        return;
      }
      const segment = segmentOf(context, value, 0, undefined);
      const forloop = new ForLoop(segment.count, name);
      for (let index = 0; index < segment.count; index += 1) {
        renderOne(context, partial, itemAt(segment, index), forloop);
        forloop.place += 1;
      }
    },
  };
};

/** Marks an argument that is not a literal and is evaluated at each call. */
const unfixed: unique symbol = Symbol("unfixed");

function isList(value: unknown): boolean {
  if (Array.isArray(value) || value instanceof Range) return true;
  if (value instanceof Drop) return value.items() !== undefined;
  return typeof value === "object" && value !== null && loopItems(value) !== undefined;
}

/**
 * The tag `include`: `{% include 'card' %}`, `{% include 'card' with product, size: 2 %}`. Renders a snippet that
 * shares the variables of the template. The name of the snippet may be any expression. Without `with`, the variable
 * with the name of the snippet is bound.
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
