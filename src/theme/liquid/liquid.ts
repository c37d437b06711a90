import { filters as builtIn, Liquid } from "liquidjs";
import { filterFamilies } from "../filters/families.ts";
import { type Filter, guarded } from "../filters/filter.ts";
import { LookUp } from "../objects/template-object.ts";
import { AssignTag } from "../tags/assign.ts";
import { CaptureTag } from "../tags/capture.ts";
import { CaseTag } from "../tags/case.ts";
import { CommentTag } from "../tags/comment.ts";
import { ContentForTag } from "../tags/content-for.ts";
import { CycleTag } from "../tags/cycle.ts";
import { ForTag } from "../tags/for.ts";
import { FormTag } from "../tags/form.ts";
import { IfTag, UnlessTag } from "../tags/if.ts";
import { IfChangedTag } from "../tags/ifchanged.ts";
import { LayoutTag } from "../tags/layout.ts";
import { PaginateTag } from "../tags/paginate.ts";
import { IncludeTag, RenderTag } from "../tags/render.ts";
import { SectionGroupTag, SectionTag } from "../tags/section.ts";
import { StyleTag } from "../tags/style.ts";
import { TablerowTag } from "../tags/tablerow.ts";
import { evaluateAtOnce, renderAtOnce } from "./evaluate.ts";
import { liquidOperators } from "./operators.ts";
import { readTokensAsLiquid } from "./tokens.ts";

readTokensAsLiquid();
evaluateAtOnce();

/** LiquidJS with the tags and filters of a storefront's theme. Its own look-up of files is off: tags ask the compiled theme. */
export function createLiquid(): Liquid {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    operators: liquidOperators,
    groupedExpressions: true,
  });
  for (const [name, tag] of Object.entries(tags)) liquid.registerTag(name, tag);
  renderAtOnce(liquid);
  delete liquid.tags.block;
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const name of kept) liquid.registerFilter(name, guarded(name, overLists(builtIn[name] as Filter)));
  for (const family of filterFamilies)
    for (const [name, filter] of Object.entries(family)) liquid.registerFilter(name, guarded(name, filter));
  return liquid;
}

/** Our look-ups are lists to LiquidJS's filters. */
function overLists(filter: Filter): Filter {
  return function (value, ...args) {
    return filter.call(this, value instanceof LookUp ? [...value] : value, ...args);
  };
}

/** LiquidJS's own: break, continue, decrement, echo, increment, inline comments, liquid and raw. */
const tags: Readonly<Record<string, Parameters<Liquid["registerTag"]>[1]>> = {
  assign: AssignTag,
  capture: CaptureTag,
  case: CaseTag,
  comment: CommentTag,
  content_for: ContentForTag,
  cycle: CycleTag,
  for: ForTag,
  form: FormTag,
  if: IfTag,
  ifchanged: IfChangedTag,
  include: IncludeTag,
  layout: LayoutTag,
  paginate: PaginateTag,
  render: RenderTag,
  section: SectionTag,
  sections: SectionGroupTag,
  style: StyleTag,
  tablerow: TablerowTag,
  unless: UnlessTag,
};

/** Filters of LiquidJS that do what themes expect of them; each asks the budget before it makes something long. */
const kept = [
  ..."append prepend capitalize downcase upcase lstrip rstrip strip strip_newlines squish".split(" "),
  ..."remove remove_first remove_last replace replace_first replace_last truncate truncatewords".split(" "),
  ..."newline_to_br slice".split(" "),
] as (keyof typeof builtIn)[];
