import { compileCondition, type Test } from "../compile/condition.ts";
import { dropBlanks } from "../parse/body.ts";
import { laxCondition } from "../parse/lax.ts";
import { type Parser, pieceOf, type Tag } from "../parse/parser.ts";
import { readCondition } from "../parse/read-expression.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { readBranches } from "./branches.ts";

/** The tag `{% if a %}…{% elsif b %}…{% else %}…{% endif %}`. */
export const ifTag: Tag = (tag, parser) => conditional(tag, parser, true);

/** The tag `{% unless a %}…{% endunless %}`. Negates the first condition, but not those of `elsif`. */
export const unless: Tag = (tag, parser) => conditional(tag, parser, false);

function conditional(tag: MarkupToken, parser: Parser, wanted: boolean): ReturnType<Tag> {
  // The first condition is parsed before the body, so that its error is reported first.
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

/**
 * The tag `{% ifchanged %}…{% endifchanged %}`, which prints its body only if it differs from the last printed body.
 */
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
