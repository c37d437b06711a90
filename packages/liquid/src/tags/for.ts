import type { Context } from "../context.ts";
import { Body, removeBlankTexts } from "../parse/body.ts";
import type { Tag } from "../parse/parser.ts";
import { toInteger } from "../values/number.ts";
import { readBranches } from "./branches.ts";
import { type CompiledLoop, getItem, type ItemRange, readLoop, sliceItems } from "./loop.ts";
import { ForLoop } from "./loop-drop.ts";

/** The tag `{% for x in list reversed limit: 3 offset: 1 %}…{% else %}…{% endfor %}`. */
export const parseForTag: Tag = (tag, parser) => {
  const loop = readLoop(tag, parser, "Syntax Error in 'for loop' - Valid syntax: for [item] in [collection]");
  // Ruby's Liquid ignores a second `else`.
  const [body = new Body(), elseBody = new Body()] = readBranches(tag, parser, ["else"]).map((branch) => branch.body);
  return {
    at: tag.begin,
    isBlank: removeBlankTexts([body, elseBody]),
    render: (context) => {
      const segment = evaluateSegment(context, loop);
      if (segment.count === 0) elseBody.render(context);
      else renderItems(context, loop, segment, body);
    },
  };
};

function evaluateSegment(
  context: Context,
  { list, offsetKey, offset, limit, isContinuation }: CompiledLoop,
): ItemRange {
  const from = isContinuation ? Number(context.registers.get(offsetKey) ?? 0) : (evaluateOption(context, offset) ?? 0);
  const items = list(context);
  const segment = sliceItems(context, items, from, evaluateOption(context, limit));
  context.registers.set(offsetKey, from + segment.count);
  return segment;
}

function evaluateOption(context: Context, option: ((context: Context) => unknown) | undefined): number | undefined {
  const value = option?.(context);
  return value === undefined || value === null ? undefined : toInteger(value);
}

function renderItems(
  context: Context,
  { variable, name, isReversed }: CompiledLoop,
  segment: ItemRange,
  body: Body,
): void {
  const { locals } = context;
  const previousValue = locals.get(variable);
  const outerForloop = locals.get("forloop");
  const forloop = new ForLoop(segment.count, name, context.loop);
  context.loop = forloop;
  locals.set("forloop", forloop);
  const lastIndex = segment.begin + segment.count - 1;
  try {
    for (let index = 0; index < segment.count; index += 1) {
      locals.set(variable, getItem(segment, isReversed ? lastIndex - index : segment.begin + index) ?? null);
      body.render(context);
      forloop.index += 1;
      if (context.interrupt === "none") continue;
      const breaksLoop = context.interrupt === "break";
      context.interrupt = "none";
      if (breaksLoop) break;
    }
  } finally {
    context.loop = forloop.parent;
    context.restoreLocal("forloop", outerForloop);
    context.restoreLocal(variable, previousValue);
  }
}

/** The tag `{% break %}`, which ends the enclosing loop. */
export const parseBreakTag: Tag = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "break";
  },
});

/** The tag `{% continue %}`, which continues with the next item of the enclosing loop. */
export const parseContinueTag: Tag = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "continue";
  },
});
