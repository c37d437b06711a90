import { type Liquid, Tag, type TagToken, type TopLevelToken, TypeGuards } from "liquidjs";
import type { Block } from "./body.ts";

/** `{% comment %}…{% endcomment %}`; comments may stand in one another. */
export class CommentTag extends Tag implements Block {
  readonly isBlank = true;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    for (let depth = 1; depth > 0; ) {
      const next = remaining.shift();
      if (next === undefined) throw new Error(`tag ${token.getText()} not closed`);
      if (!TypeGuards.isTagToken(next)) continue;
      if (next.name === "comment") depth += 1;
      if (next.name === "endcomment") depth -= 1;
    }
  }

  override render(): void {}
}
