import { type Liquid, type Parser, Tag, type TagToken, type TopLevelToken, TypeGuards } from "liquidjs";
import { createLiquid } from "../liquid.ts";
import { parseBody } from "../tags/body.ts";
import type { ThemeUnderCheck } from "./theme-under-check.ts";

/** Parses every Liquid file as the engine does. Unknown tags and filters do not stop it: other checks tell of them. */
export function checkSyntax(check: ThemeUnderCheck): void {
  const { folder } = check.theme;
  const liquid = createLiquid({ read: (file) => folder.texts.get(file) ?? "" });
  for (const file of folder.texts.keys()) {
    if (!file.endsWith(".liquid")) continue;
    const { refusal } = check.theme.dependencies(file);
    if (refusal !== undefined) check.add("fault", "syntax", { file }, refusal);
    else parse(check, liquid, file);
  }
}

function parse(check: ThemeUnderCheck, liquid: Liquid, file: string): void {
  const { liquid: source } = check.theme.source(file);
  // Each try knows one more name, and there is an end to the names in a file.
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      liquid.parse(source, file);
      return;
    } catch (error) {
      const message = error instanceof Error ? error.message.replace(/, file:.*$/s, "") : String(error);
      if (learn(liquid, message)) continue;
      const begin = offsetOf(error);
      const place = begin === undefined ? { file } : check.place(file, begin, source);
      check.add("fault", "syntax", place, message);
      return;
    }
  }
}

/** @returns whether the message is about a name that was not known before */
function learn(liquid: Liquid, message: string): boolean {
  const filter = /^undefined filter: (.+)$/s.exec(message)?.[1];
  if (filter !== undefined && !Object.hasOwn(liquid.filters, filter)) {
    liquid.registerFilter(filter, (value: unknown) => value);
    return true;
  }
  const tag = /^tag "(.+)" not found$/s.exec(message)?.[1];
  if (tag === undefined || Object.hasOwn(liquid.tags, tag) || tag.startsWith("end")) return false;
  liquid.registerTag(tag, UnknownTag);
  return true;
}

/** Takes its body where the file has an end tag for it. */
class UnknownTag extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    const end = `end${token.name}`;
    if (remaining.some((one) => TypeGuards.isTagToken(one) && one.name === end))
      parseBody(token, remaining, parser, end);
  }

  override render(): void {}
}

function offsetOf(error: unknown): number | undefined {
  const token: unknown = Reflect.get(error as object, "token");
  const begin: unknown = typeof token === "object" && token !== null ? Reflect.get(token, "begin") : undefined;
  return typeof begin === "number" ? begin : undefined;
}
