import type { Context } from "../context.ts";
import { isBlankText } from "../values/blanks.ts";

/** A tag or output, ready to be rendered. */
export interface Node {
  /** Where it begins in the source. */
  readonly at: number;
  /** It prints nothing, whatever happens: blanks around it may go. */
  readonly isBlank: boolean;
  readonly render: (context: Context) => void;
}

/** What stands between two tags: texts and nodes. */
export class Body {
  readonly parts: (string | Node)[] = [];

  /** Nothing in it prints anything but blanks. */
  get isBlank(): boolean {
    return this.parts.every((part) => (typeof part === "string" ? isBlankText(part) : part.isBlank));
  }

  /** Takes the texts out. */
  dropTexts(): void {
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
        context.fail(error, part);
      }
      if (context.interrupt !== "none") return;
    }
  };
}

/** Bodies of one tag that print nothing but blanks lose them. @returns whether that is so */
export function dropBlanks(bodies: readonly Body[]): boolean {
  const isBlank = bodies.every((body) => body.isBlank);
  if (isBlank) for (const body of bodies) body.dropTexts();
  return isBlank;
}
