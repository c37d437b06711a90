import type { Tag } from "../parse/parser.ts";
import { caseTag } from "./case.ts";
import { cycleTag } from "./cycle.ts";
import { echoTag } from "./echo.ts";
import { breakTag, continueTag, forTag } from "./for.ts";
import { ifchangedTag, ifTag, unlessTag } from "./if.ts";
import { includeTag, renderTag } from "./render.ts";
import { tablerowTag } from "./tablerow.ts";
import { assignTag, captureTag, decrementTag, incrementTag } from "./variables.ts";
import { commentTag, docTag, inlineCommentTag, rawTag } from "./verbatim.ts";

/** All standard tags of Liquid except `liquid`, which the parser handles. */
export const standardTags: ReadonlyMap<string, Tag> = new Map(
  Object.entries({
    "#": inlineCommentTag,
    assign: assignTag,
    break: breakTag,
    capture: captureTag,
    case: caseTag,
    comment: commentTag,
    continue: continueTag,
    cycle: cycleTag,
    decrement: decrementTag,
    doc: docTag,
    echo: echoTag,
    for: forTag,
    if: ifTag,
    ifchanged: ifchangedTag,
    include: includeTag,
    increment: incrementTag,
    raw: rawTag,
    render: renderTag,
    tablerow: tablerowTag,
    unless: unlessTag,
  }),
);
