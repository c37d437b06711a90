import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import { Body, dropBlanks } from "../parse/body.ts";
import type { Tag } from "../parse/parser.ts";
import { toInteger } from "../values/number.ts";
import { readBranches } from "./branches.ts";
import { itemAt, type Loop, readLaxLoop, readLoop, type Segment, segmentOf } from "./loop.ts";
import { ForLoop } from "./loop-drop.ts";

/** The tag `{% for x in list reversed limit: 3 offset: 1 %}…{% else %}…{% endfor %}`. */
export const forTag: Tag = (tag, parser) => {
  const loop = readLoop(tag, parser, (piece) => {
    const read = readLaxLoop(piece);
    if (read !== undefined) return read;
    const detail = "Syntax Error in 'for loop' - Valid syntax: for [item] in [collection]";
    throw new LiquidError("syntax", detail, tag.begin);
  });
  // Only the first `else` is rendered, as in Ruby.
  const [body = new Body(), otherwise = new Body()] = readBranches(tag, parser, ["else"]).map((branch) => branch.body);
  return {
    at: tag.begin,
    isBlank: dropBlanks([body, otherwise]),
    render: (context) => {
      const segment = segmentIn(context, loop);
      if (segment.count === 0) otherwise.render(context);
      else renderItems(context, loop, segment, body);
    },
  };
};

function segmentIn(context: Context, { list, register, offset, limit, continues }: Loop): Segment {
  const from = continues ? Number(context.registers.get(register) ?? 0) : (evaluateOption(context, offset) ?? 0);
  const items = list(context);
  const segment = segmentOf(context, items, from, evaluateOption(context, limit));
  context.registers.set(register, from + segment.count);
  return segment;
}

function evaluateOption(context: Context, option: ((context: Context) => unknown) | undefined): number | undefined {
  const value = option?.(context);
  return value === undefined || value === null ? undefined : toInteger(value);
}

function renderItems(context: Context, { variable, name, isReversed }: Loop, segment: Segment, body: Body): void {
  const { locals } = context;
  const outer = locals.get(variable);
  const around = locals.get("forloop");
  const forloop = new ForLoop(segment.count, name, context.loop);
  context.loop = forloop;
  locals.set("forloop", forloop);
  const last = segment.begin + segment.count - 1;
  try {
    for (let index = 0; index < segment.count; index += 1) {
      locals.set(variable, itemAt(segment, isReversed ? last - index : segment.begin + index) ?? null);
      body.render(context);
      forloop.place += 1;
      if (context.interrupt === "none") continue;
      const isOver = context.interrupt === "break";
      context.interrupt = "none";
      if (isOver) break;
    }
  } finally {
    context.loop = forloop.parent;
    context.restore("forloop", around);
    context.restore(variable, outer);
  }
}

/** The tag `{% break %}`, which ends the enclosing loop. */
export const breakTag: Tag = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "break";
  },
});

/** The tag `{% continue %}`, which continues with the next item of the enclosing loop. */
export const continueTag: Tag = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "continue";
  },
});
