import type { Tag } from "../parse/parser.ts";
import { assign } from "./assign.ts";
import { capture } from "./capture.ts";
import { caseTag } from "./case.ts";
import { decrement, increment } from "./counters.ts";
import { cycle } from "./cycle.ts";
import { echo } from "./echo.ts";
import { forTag } from "./for.ts";
import { ifTag, unless } from "./if.ts";
import { ifchanged } from "./ifchanged.ts";
import { include } from "./include.ts";
import { breakTag, continueTag } from "./interrupts.ts";
import { render } from "./render.ts";
import { tablerow } from "./tablerow.ts";
import { comment, doc, inlineComment, raw } from "./verbatim.ts";

/** The tags of standard Liquid except `liquid`, which the parser handles. */
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
