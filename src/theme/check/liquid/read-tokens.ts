import { type Liquid, type Token, Tokenizer, TypeGuards } from "liquidjs";
import type { RawOutput, RawTag } from "./statements.ts";

/** The tags and outputs of a file in order, those of `{% liquid %}` among them; comments and raw text are left out.
 *  Reading ends where the text is no Liquid any more: the engine says what is wrong there.
 *  @param source Liquid without its data blocks */
export function readTokens(source: string, file: string, liquid: Liquid): (RawTag | RawOutput)[] {
  const read: (RawTag | RawOutput)[] = [];
  let isComment = false;
  const add = (tag: RawTag): void => {
    if (tag.name === "comment" || tag.name === "endcomment") isComment = tag.name === "comment";
    else if (!isComment && tag.name !== "#" && tag.name !== "raw" && tag.name !== "endraw") read.push(tag);
  };
  const tokenizer = new Tokenizer(source, liquid.options.operators, file);
  for (const token of until(tokenizer, () => tokenizer.readTopLevelToken(liquid.options))) {
    if (TypeGuards.isTagToken(token)) {
      if (token.name !== "liquid") {
        add(rawTag(token.begin, token));
        continue;
      }
      if (isComment) continue;
      const lines = new Tokenizer(source, liquid.options.operators, file, [token.tokenizer.p, token.tokenizer.N]);
      for (const line of until(lines, () => lines.readLiquidTagToken(liquid.options)))
        if (line !== undefined) add(rawTag(line.begin, line));
    } else if (TypeGuards.isOutputToken(token) && !isComment) {
      const [begin, end] = token.contentRange;
      read.push({ kind: "output", at: token.begin, input: token.input, begin, end });
    }
  }
  return read;
}

function rawTag(at: number, token: Token & { readonly name: string; readonly tokenizer: Tokenizer }): RawTag {
  const { p, N } = token.tokenizer;
  return { kind: "tag", at, name: token.name, input: token.input, begin: p, end: N };
}

function* until<Item>(tokenizer: Tokenizer, next: () => Item): Generator<Item> {
  while (tokenizer.p < tokenizer.N) {
    let item: Item;
    try {
      item = next();
    } catch {
      return;
    }
    yield item;
  }
}
