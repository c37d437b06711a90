import { type Context, LiquidError, type Tag } from "@vitrine/liquid";
import {
  compileExpression,
  type Expression,
  findFragment,
  type Lexer,
  type MarkupSlice,
  type MarkupToken,
  markupOf,
  type NamedArgument,
  parseLaxArguments,
  parseLaxExpression,
  readArguments,
  readExpression,
  readNamedArgument,
} from "@vitrine/liquid/tree";
import { renderBlocks, renderStaticBlock } from "../render/blocks.ts";
import { renderGroup, renderStaticSection } from "../render/sections.ts";
import { type RenderState, stateOf } from "../render-state.ts";
import { createNode } from "./create-node.ts";

/**
 * Renders a file in `blocks/`: `{% block 'container', class: 'wide' %}…{% endblock %}`. The file reads each argument as
 * a variable, and the content of the tag as `content` or `block.content`. An argument can be a list of literals:
 * `tips: ['one', 'two']`.
 */
export const parseBlockTag: Tag = (tag, parser) => {
  const { kind, args } = parser.parseMarkup(markupOf(tag), readBlockCall, readLaxContentCall);
  const type = getLiteralText(kind);
  if (type === undefined)
    throw new LiquidError("syntax", "block: expected a literal name, as in {% block 'container' %}", tag.begin);
  const { body } = parser.body(tag);
  const evaluateArguments = compileArguments(args);
  return createNode(tag, (context) => {
    const content = context.capture(body.render);
    renderStaticBlock(context, { type, id: type, values: { ...evaluateArguments(context), content }, content });
  });
};

/** Renders a section with the theme's settings: `{% section 'header' %}`. */
export const sectionTag = createSectionTag(renderStaticSection);

/** Renders the sections of a section group: `{% sections 'header-group' %}`. */
export const sectionGroupTag = createSectionTag(renderGroup);

/** Creates a tag whose only argument is a name in quotes.  @param render returns the HTML */
function createSectionTag(render: (state: RenderState, name: string) => string): Tag {
  return (tag) => {
    const name = parseLiteralName(tag);
    return createNode(tag, (context) => context.write(render(stateOf(context), name)));
  };
}

function parseLiteralName({ name, markup, begin }: MarkupToken): string {
  const [, singleQuotedName, doubleQuotedName] = /^\s*(?:'([^']*)'|"([^"]*)")/.exec(markup) ?? [];
  const literal = singleQuotedName ?? doubleQuotedName;
  if (literal === undefined)
    throw new LiquidError("syntax", `${name}: expected a literal name, as in {% section 'header' %}`, begin);
  return literal;
}

interface BlockTagCall {
  readonly kind: Expression | undefined;
  readonly args: readonly NamedArgument[];
}

/**
 * Renders blocks. `{% content_for 'blocks' %}` renders the blocks that the merchant added.
 * `{% content_for 'block', type: 'price', id: 'price' %}` renders a single block. Blocks can read the other arguments,
 * such as `closest.product`.
 */
export const parseContentForTag: Tag = (tag, parser) => {
  const { kind, args } = parser.parseMarkup(markupOf(tag), readContentCall, readLaxContentCall);
  const kindName = getLiteralText(kind);
  if (kindName !== "blocks" && kindName !== "block")
    throw new LiquidError(
      "syntax",
      "write {% content_for 'blocks' %} or {% content_for 'block', type: 'x', id: 'y' %}",
      tag.begin,
    );
  const [type, id] = ["type", "id"].map((name) => getLiteralText(args.find((arg) => arg.name === name)?.value));
  if (kindName === "block" && (type === undefined || id === undefined))
    throw new LiquidError("syntax", "content_for: a block needs a literal type and a literal id", tag.begin);
  const evaluateArguments = compileArguments(
    args.filter(({ name }) => kindName === "blocks" || (name !== "type" && name !== "id")),
  );
  return createNode(tag, (context) => {
    const values = evaluateArguments(context);
    if (kindName === "blocks") renderBlocks(context, values);
    else renderStaticBlock(context, { type: type ?? "", id: id ?? "", values });
  });
};

/** Compiles the arguments of a tag.  @returns a function that evaluates all arguments */
function compileArguments(args: readonly NamedArgument[]): (context: Context) => Record<string, unknown> {
  const compiledArguments = args.map(({ name, value }) => [name, compileExpression(value)] as const);
  return (context) => Object.fromEntries(compiledArguments.map(([name, value]) => [name, value(context)]));
}

/** Parses the arguments of a tag. Argument names may contain dots, as in `closest.product: p`. */
export function readContentCall(lexer: Lexer): BlockTagCall {
  const kind = readExpression(lexer);
  return { kind, args: readArguments(lexer, true) };
}

/** Parses the arguments of the tag `{% block %}`. An argument may be a list of literals. */
export function readBlockCall(lexer: Lexer): BlockTagCall {
  const kind = readExpression(lexer);
  const args: NamedArgument[] = [];
  lexer.skipSign(",");
  while (lexer.kind !== "end") {
    const { at } = lexer;
    args.push(lexer.isFollowedByColon() ? readBlockArgument(lexer, at) : readNamedArgument(lexer, true));
    lexer.skipSign(",");
  }
  return { kind, args };
}

function readBlockArgument(lexer: Lexer, at: number): NamedArgument {
  const name = lexer.readWord();
  lexer.expectSign(":");
  return { at, name, value: lexer.isSign("[") ? readLiteralList(lexer) : readExpression(lexer) };
}

function readLiteralList(lexer: Lexer): Expression {
  const { at } = lexer;
  lexer.expectSign("[");
  const values: unknown[] = [];
  while (!lexer.isSign("]")) {
    const element = readExpression(lexer);
    if (element.kind !== "literal")
      throw new LiquidError("syntax", "block: expected a literal in the list", element.at);
    values.push(element.value);
    if (!lexer.skipSign(",")) break;
  }
  lexer.expectSign("]");
  return { kind: "literal", at, value: values };
}

/** Parses the arguments of a tag with the lenient parser. */
export function readLaxContentCall(markupSlice: MarkupSlice): BlockTagCall {
  const kind = findFragment(markupSlice);
  return { kind: kind === undefined ? undefined : parseLaxExpression(kind), args: parseLaxArguments(markupSlice) };
}

/** Returns the text of a literal; undefined for any other expression. */
export function getLiteralText(expression: Expression | undefined): string | undefined {
  return expression?.kind === "literal" && typeof expression.value === "string" ? expression.value : undefined;
}
