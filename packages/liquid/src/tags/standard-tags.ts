import type { Tag } from "../parse/parser.ts";
import { caseTag } from "./case.ts";
import { cycle } from "./cycle.ts";
import { echo } from "./echo.ts";
import { breakTag, continueTag, forTag } from "./for.ts";
import { ifchanged, ifTag, unless } from "./if.ts";
import { include, render } from "./render.ts";
import { tablerow } from "./tablerow.ts";
import { assign, capture, decrement, increment } from "./variables.ts";
import { comment, doc, inlineComment, raw } from "./verbatim.ts";

/** All standard tags of Liquid except `liquid`, which the parser handles. */
export const standardTags: ReadonlyMap<string, Tag> = new Map(
  Object.entries({
    "#": inlineComment,
    assign,
    break: breakTag,
    capture,
    case: caseTag,
    comment,
    continue: continueTag,
    cycle,
    decrement,
    doc,
    echo,
    for: forTag,
    if: ifTag,
    ifchanged,
    include,
    increment,
    raw,
    render,
    tablerow,
    unless,
  }),
);
