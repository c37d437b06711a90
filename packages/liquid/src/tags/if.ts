import { type CompiledCondition, compileCondition } from "../compile/condition.ts";
import { removeBlankTexts } from "../parse/body.ts";
import { parseLaxCondition } from "../parse/lax.ts";
import { markupOf, type Parser, type Tag } from "../parse/parser.ts";
import { readCondition } from "../parse/read-expression.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { readBranches } from "./branches.ts";

/** The tag `{% if a %}…{% elsif b %}…{% else %}…{% endif %}`. */
export const parseIfTag: Tag = (tag, parser) => compileConditional(tag, parser, true);

/** The tag `{% unless a %}…{% endunless %}`. Negates the first condition, but not those of `elsif`. */
export const parseUnlessTag: Tag = (tag, parser) => compileConditional(tag, parser, false);

function compileConditional(tag: MarkupToken, parser: Parser, expectedResult: boolean): ReturnType<Tag> {
  // The first condition is parsed before the body, so that its error is reported first.
  const firstTest = compileTest(tag, parser);
  const branches = readBranches(tag, parser, ["elsif", "else"]).map(({ openingTag, body }, index) => ({
    test: index === 0 ? firstTest : openingTag.name === "else" ? () => true : compileTest(openingTag, parser),
    body,
  }));
  const isBlank = removeBlankTexts(branches.map(({ body }) => body));
  const [singleBranch] = branches;
  if (singleBranch !== undefined && branches.length === 1) {
    const { test, body } = singleBranch;
    return {
      at: tag.begin,
      isBlank,
      render: (context) => {
        if (test(context) === expectedResult) body.render(context);
      },
    };
  }
  return {
    at: tag.begin,
    isBlank,
    render: (context) => {
      for (const branch of branches) {
        if (branch.test(context) !== (branch !== singleBranch || expectedResult)) continue;
        branch.body.render(context);
        return;
      }
    },
  };
}

function compileTest(tag: MarkupToken, parser: Parser): CompiledCondition {
  return compileCondition(parser.parseMarkup(markupOf(tag), readCondition, parseLaxCondition));
}

/**
 * The tag `{% ifchanged %}…{% endifchanged %}`, which prints its body only if it differs from the last printed body.
 */
export const parseIfchangedTag: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: body.isBlank,
    render: (context) => {
      const output = context.capture(body.render);
      if (context.registers.get("ifchanged") === output) return;
      context.registers.set("ifchanged", output);
      context.write(output);
    },
  };
};
