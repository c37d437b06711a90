import type { Context, Tag } from "@vitrine/liquid";

type TagNode = ReturnType<Tag>;

/** Creates the compiled form of a tag that may print something. */
export function createNode(tag: Pick<Parameters<Tag>[0], "begin">, render: (context: Context) => void): TagNode {
  return { at: tag.begin, isBlank: false, render };
}
