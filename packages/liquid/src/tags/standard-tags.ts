import type { Tag } from "../parse/parser.ts";
import { parseCaseTag } from "./case.ts";
import { parseCycleTag } from "./cycle.ts";
import { parseEchoTag } from "./echo.ts";
import { parseBreakTag, parseContinueTag, parseForTag } from "./for.ts";
import { parseIfchangedTag, parseIfTag, parseUnlessTag } from "./if.ts";
import { parseIncludeTag, parseRenderTag } from "./render.ts";
import { parseTablerowTag } from "./tablerow.ts";
import { parseAssignTag, parseCaptureTag, parseDecrementTag, parseIncrementTag } from "./variables.ts";
import { parseCommentTag, parseDocTag, parseInlineCommentTag, parseRawTag } from "./verbatim.ts";

/** All standard tags of Liquid except `liquid`, which the parser handles. */
export const standardTags: ReadonlyMap<string, Tag> = new Map(
  Object.entries({
    "#": parseInlineCommentTag,
    assign: parseAssignTag,
    break: parseBreakTag,
    capture: parseCaptureTag,
    case: parseCaseTag,
    comment: parseCommentTag,
    continue: parseContinueTag,
    cycle: parseCycleTag,
    decrement: parseDecrementTag,
    doc: parseDocTag,
    echo: parseEchoTag,
    for: parseForTag,
    if: parseIfTag,
    ifchanged: parseIfchangedTag,
    include: parseIncludeTag,
    increment: parseIncrementTag,
    raw: parseRawTag,
    render: parseRenderTag,
    tablerow: parseTablerowTag,
    unless: parseUnlessTag,
  }),
);
