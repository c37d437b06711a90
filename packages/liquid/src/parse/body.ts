import type { Context } from "../context.ts";
import { isBlankText } from "../values/whitespace.ts";

/** A compiled tag or output. */
export interface Node {
  /** Offset of the tag or output in the source. */
  readonly at: number;
  /** Whether the tag never prints anything, so that surrounding whitespace can be removed. */
  readonly isBlank: boolean;
  readonly render: (context: Context) => void;
}

/** The content between two tags: literal text, tags, and outputs. */
export class Body {
  readonly parts: (string | Node)[] = [];

  /** Whether the body prints only whitespace. */
  get isBlank(): boolean {
    return this.parts.every((part) => (typeof part === "string" ? isBlankText(part) : part.isBlank));
  }

  /** Removes the literal text and keeps the tags and outputs. */
  removeTexts(): void {
    this.parts.splice(0, this.parts.length, ...this.parts.filter((part) => typeof part !== "string"));
  }

  readonly render = (context: Context): void => {
    const { parts } = this;
    context.meter.use(1 + parts.length);
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index] as string | Node;
      if (typeof part === "string") {
        context.write(part);
        continue;
      }
      try {
        part.render(context);
      } catch (error) {
        context.handleError(error, part);
      }
      if (context.interrupt !== "none") return;
    }
  };
}

/**
 * Removes the literal text from a tag's bodies if all of them print only whitespace.  @returns whether it was removed
 */
export function removeBlankTexts(bodies: readonly Body[]): boolean {
  const isBlank = bodies.every((body) => body.isBlank);
  if (isBlank) for (const body of bodies) body.removeTexts();
  return isBlank;
}
