import { type Liquid, type Parser, Tag, type TagToken, type TopLevelToken, TypeGuards } from "liquidjs";
import { isLax, unknownOperator } from "../liquid/lax.ts";
import { createLiquid } from "../liquid/liquid.ts";
import { parseBody } from "../tags/body.ts";
import { readTokens } from "./liquid/read-tokens.ts";
import { tokenizerOf } from "./liquid/statements.ts";
import type { ThemeUnderCheck } from "./theme-under-check.ts";

/** Parses every Liquid file as the engine does. Unknown tags do not stop it: another check tells of them. */
export function checkSyntax(check: ThemeUnderCheck): void {
  const { folder } = check.theme;
  const liquid = createLiquid();
  for (const file of folder.texts.keys()) {
    if (!file.endsWith(".liquid")) continue;
    const { refusal } = check.theme.dependencies(file);
    if (refusal !== undefined) check.add("fault", "syntax", { file }, refusal);
    else if (parse(check, liquid, file)) checkExpressions(check, liquid, file);
  }
}

/** @returns whether it could be parsed */
function parse(check: ThemeUnderCheck, liquid: Liquid, file: string): boolean {
  const { liquid: source } = check.theme.source(file);
  // Each try knows one more name, and there is an end to the names in a file.
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      liquid.parse(source, file);
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message.replace(/, file:.*$/s, "") : String(error);
      if (learn(liquid, message)) continue;
      const begin = offsetOf(error);
      const place = begin === undefined ? { file } : check.place(file, begin, source);
      check.add("fault", "syntax", place, message);
      return false;
    }
  }
  return false;
}

/** Tells of what the engine passes over, as Ruby's lax mode does, and of conditions that fail when they are rendered. */
function checkExpressions(check: ThemeUnderCheck, liquid: Liquid, file: string): void {
  const { liquid: source } = check.theme.source(file);
  for (const raw of readTokens(source, file, liquid)) {
    const isCondition = raw.kind === "tag" && conditions.has(raw.name);
    if (raw.kind === "tag" && !isCondition && !values.has(raw.name)) continue;
    const text = raw.input.slice(raw.begin, raw.end).trim();
    const place = check.place(file, raw.at, source);
    const operator = isCondition ? unknownOperator(text) : undefined;
    if (operator !== undefined)
      check.add("fault", "syntax", place, `unknown operator "${operator}": nothing is shown of it`);
    const tokenizer = tokenizerOf(raw, liquid);
    if (raw.kind === "tag" && raw.name === "assign") tokenizer.p = raw.input.indexOf("=", raw.begin) + 1;
    if (isLax(tokenizer.readFilteredValue()))
      check.add("warning", "syntax", place, `"${text}" is not well formed; the parts that cannot be read mean nothing`);
  }
}

const conditions = new Set(["if", "unless", "elsif"]);
const values = new Set(["assign", "echo", "case"]);

/** @returns whether the message is about a name that was not known before */
function learn(liquid: Liquid, message: string): boolean {
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
