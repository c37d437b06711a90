import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { Tag } from "../parse/parser.ts";
import { truncateToInteger } from "../values/number.ts";
import { getItem, readLoop, sliceItems } from "./loop.ts";
import { TableRowLoop } from "./loop-drop.ts";

/** The tag `{% tablerow x in list cols: 2 %}…{% endtablerow %}`, which prints the rows of a table. */
export const parseTablerowTag: Tag = (tag, parser) => {
  const syntaxError = "Syntax Error in 'table_row loop' - Valid syntax: table_row [item] in [collection] cols=3";
  const { variable, list, options } = readLoop(tag, parser, syntaxError);
  const { body } = parser.body(tag);
  const evaluateOption = (context: Context, name: string): number | undefined => {
    const value = options.get(name)?.(context);
    if (typeof value === "boolean") throw new LiquidError("render", "invalid integer");
    return options.has(name) ? truncateToInteger(value) : undefined;
  };
  return {
    at: tag.begin,
    isBlank: body.isBlank,
    render: (context) => {
      const items = list(context);
      if (items === undefined || items === null || items === false) return;
      const segment = sliceItems(
        context,
        items,
        evaluateOption(context, "offset") ?? 0,
        evaluateOption(context, "limit"),
      );
      const loop = new TableRowLoop(segment.count, evaluateOption(context, "cols") ?? segment.count);
      context.write('<tr class="row1">\n');
      context.withLocal("tablerowloop", loop, () => {
        const previousValue = context.locals.get(variable);
        try {
          for (let index = 0; index < segment.count; index += 1) {
            context.locals.set(variable, getItem(segment, segment.begin + index) ?? null);
            context.write(`<td class="col${loop.column + 1}">`);
            body.render(context);
            context.write("</td>");
            const breaksLoop = context.interrupt === "break";
            context.interrupt = "none";
            if (breaksLoop) break;
            if (loop.isEndOfRow && index < segment.count - 1) context.write(`</tr>\n<tr class="row${loop.row + 1}">`);
            loop.index += 1;
          }
        } finally {
          context.restoreLocal(variable, previousValue);
        }
      });
      context.write("</tr>\n");
    },
  };
};
