import { compileExpression } from "../compile/expression.ts";
import type { Context, Snippet } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { MarkupPart } from "../parse/lax.ts";
import { markupOf, type Tag } from "../parse/parser.ts";
import { Drop, toPlainValue } from "../values/drop.ts";
import { getItem, sliceItems } from "./loop.ts";
import { ForLoop } from "./loop-drop.ts";
import {
  compileArguments,
  getDefaultVariable,
  readCall,
  readLaxCall,
  runWithLocals,
  type SnippetCall,
} from "./snippet-call.ts";
import { SnippetMemo } from "./snippet-memo.ts";

/**
 * The tag `render`: `{% render 'card', product: p %}`, `{% render 'card' with p as product %}`, or `{% render 'card'
 * for list as product %}`. Renders a snippet, which can read its arguments and global variables, but no other variables
 * of the template.
 */
export const parseRenderTag: Tag = (tag, parser) => {
  const snippetCall = parser.parseMarkup(markupOf(tag), readCall, readLaxRender);
  if (snippetCall?.name.kind !== "literal" || typeof snippetCall.name.value !== "string")
    throw new LiquidError("syntax", "Syntax error in tag 'render' - Template name must be a quoted string", tag.begin);
  const name = snippetCall.name.value;
  const variable = snippetCall.alias ?? getDefaultVariable(name);
  const evaluateBoundValue =
    snippetCall.boundValue === undefined ? undefined : compileExpression(snippetCall.boundValue);
  const args = compileArguments(snippetCall.args);
  const literalValues = snippetCall.args.map(({ value }) =>
    value.kind === "literal" ? value.value : dynamicValueMarker,
  );
  const snippetMemo =
    snippetCall.boundValue === undefined
      ? new SnippetMemo(args, literalValues.includes(dynamicValueMarker) ? undefined : literalValues)
      : undefined;
  const renderItem = (context: Context, snippet: Snippet, item: unknown, forloop?: ForLoop): void => {
    const snippetContext = context.createIsolated();
    if (forloop !== undefined) snippetContext.assign("forloop", forloop);
    for (const [key, value] of args) snippetContext.assign(key, value(context));
    if (item !== undefined && item !== null) snippetContext.assign(variable, item);
    context.renderSnippet(snippet, snippetContext);
  };
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      const snippet = context.partial(name);
      if (snippetMemo?.isCacheable === true) {
        snippetMemo.render(context, snippet);
        return;
      }
      const value = evaluateBoundValue?.(context);
      if (!snippetCall.isForEach || !isList(value)) {
        renderItem(context, snippet, value);
        return;
      }
      const segment = sliceItems(context, value, 0, undefined);
      const forloop = new ForLoop(segment.count, name);
      for (let index = 0; index < segment.count; index += 1) {
        renderItem(context, snippet, getItem(segment, index), forloop);
        forloop.index += 1;
      }
    },
  };
};

/** Parses malformed markup of `render`. As in Ruby, text before a quoted name is ignored: `{% render: 'card' %}`. */
function readLaxRender({ text, at }: MarkupPart): SnippetCall | undefined {
  const nameIndex = Math.max(0, text.search(/["']/));
  return readLaxCall({ text: text.slice(nameIndex), at: at + nameIndex });
}

/** Placeholder for the value of an argument that is not a literal. */
const dynamicValueMarker: unique symbol = Symbol("unfixed");

function isList(value: unknown): boolean {
  return value instanceof Drop ? value.items() !== undefined : typeof value === "object" && value !== null;
}

/**
 * The tag `include`: `{% include 'card' %}`, `{% include 'card' with product, size: 2 %}`. Renders a snippet that
 * shares the variables of the template. The snippet's name may be any expression. The snippet receives the `with` value
 * as a variable with its own name.
 */
export const parseIncludeTag: Tag = (tag, parser) => {
  const snippetCall = parser.parseMarkup(markupOf(tag), readCall, readLaxCall);
  if (snippetCall === undefined)
    throw new LiquidError(
      "syntax",
      "Error in tag 'include' - Valid syntax: include '[template]' (with|for) [object|collection]",
      tag.begin,
    );
  const evaluateName = compileExpression(snippetCall.name);
  const evaluateBoundValue =
    snippetCall.boundValue === undefined ? undefined : compileExpression(snippetCall.boundValue);
  const args = compileArguments(snippetCall.args);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      if (context.isIsolated) throw new LiquidError("render", "include usage is not allowed in this context");
      const name = toPlainValue(evaluateName(context));
      if (typeof name !== "string")
        throw new LiquidError("render", "Argument error in tag 'include' - Illegal template name");
      const snippet = context.partial(name);
      const variable = snippetCall.alias ?? getDefaultVariable(name);
      const value = evaluateBoundValue === undefined ? context.readVariable(name) : evaluateBoundValue(context);
      const { locals } = context;
      runWithLocals(context, [...args.map(([key]) => key), variable], () => {
        for (const [key, evaluate] of args) locals.set(key, evaluate(context) ?? null);
        for (const item of Array.isArray(value) ? value : [value]) {
          locals.set(variable, item ?? null);
          context.renderSnippet(snippet, context);
        }
      });
    },
  };
};
