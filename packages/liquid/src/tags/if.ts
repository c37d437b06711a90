import { compileCondition, type Test } from "../compile/condition.ts";
import { dropBlanks } from "../parse/body.ts";
import { laxCondition } from "../parse/lax.ts";
import { type Parser, pieceOf, type Tag } from "../parse/parser.ts";
import { readCondition } from "../parse/read-expression.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { readBranches } from "./branches.ts";

/** `{% if a %}…{% elsif b %}…{% else %}…{% endif %}` */
export const ifTag: Tag = (tag, parser) => conditional(tag, parser, true);

/** `{% unless a %}…{% endunless %}`: negates the first condition, not those of `elsif`. */
export const unless: Tag = (tag, parser) => conditional(tag, parser, false);

function conditional(tag: MarkupToken, parser: Parser, wanted: boolean): ReturnType<Tag> {
  // Conditions are parsed in source order, so that the first error is reported.
  const first = readTest(tag, parser);
  const branches = readBranches(tag, parser, ["elsif", "else"]).map(({ opener, body }, index) => ({
    test: index === 0 ? first : opener.name === "else" ? () => true : readTest(opener, parser),
    body,
  }));
  const isBlank = dropBlanks(branches.map(({ body }) => body));
  const [only] = branches;
  if (only !== undefined && branches.length === 1) {
    const { test, body } = only;
    return {
      at: tag.begin,
      isBlank,
      render: (context) => {
        if (test(context) === wanted) body.render(context);
      },
    };
  }
  return {
    at: tag.begin,
    isBlank,
    render: (context) => {
      for (const branch of branches) {
        if (branch.test(context) !== (branch !== only || wanted)) continue;
        branch.body.render(context);
        return;
      }
    },
  };
}

function readTest(tag: MarkupToken, parser: Parser): Test {
  return compileCondition(parser.read(pieceOf(tag), readCondition, laxCondition));
}

/** `{% ifchanged %}…{% endifchanged %}`: prints its body if it differs from the last one that such a tag printed. */
export const ifchanged: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: body.isBlank,
    render: (context) => {
      const shown = context.capture(body.render);
      if (context.registers.get("ifchanged") === shown) return;
      context.registers.set("ifchanged", shown);
      context.write(shown);
    },
  };
};
