import { type Liquid, Tokenizer, TypeGuards } from "liquidjs";

/** What a Liquid file names, found without rendering it. */
export interface Dependencies {
  /** It may read the global `cart`; true in doubt. */
  readonly namesCart: boolean;
  readonly snippets: readonly string[];
  /** Sections and section groups that it places. */
  readonly sections: readonly string[];
  readonly groups: readonly string[];
  /** Files of `blocks/` that it places itself, without their ending. */
  readonly blocks: readonly string[];
  /** Why it is not to be parsed; LiquidJS takes seconds for some files, or all of the stack. */
  readonly refusal?: string;
}

/** Blocks in one another, and tags and outputs in one file; real themes have a tenth of it. */
const maxNesting = 100;
const maxTokens = 10_000;

/** @param source Liquid without its data blocks  @throws TokenizationError where it is no Liquid */
export function findDependencies(source: string, file: string, liquid: Liquid): Dependencies {
  const found: Found = { namesCart: false, snippets: [], sections: [], groups: [], blocks: [] };
  let isComment = false;
  const read = (name: string, markup: string): void => {
    if (name === "comment" || name === "endcomment") isComment = name === "comment";
    if (isComment || name === "#") return;
    if (name === "liquid") {
      for (const line of markup.split("\n")) {
        const [, tag = "", rest = ""] = /^\s*([\w#]+)(.*)$/.exec(line) ?? [];
        read(tag, rest);
      }
      return;
    }
    const named = /^\s*(?:'([^']*)'|"([^"]*)")/.exec(markup);
    const target = named?.[1] ?? named?.[2];
    if (target !== undefined) listFor(name, found)?.push(target);
    if (name === "content_for" && target === "block") found.blocks.push(...blockType(markup));
    const isUnknown = name === "include" && target === undefined;
    if (isUnknown || mayReadCart(markup)) found.namesCart = true;
  };
  const tokens = new Tokenizer(source, liquid.options.operators, file).readTopLevelTokens(liquid.options);
  if (tokens.length > maxTokens) return { ...found, refusal: `more than ${maxTokens} tags and outputs` };
  let depth = 0;
  for (const token of tokens) {
    if (TypeGuards.isTagToken(token)) depth += token.name.startsWith("end") ? -1 : enclosing.has(token.name) ? 1 : 0;
    if (depth > maxNesting) return { ...found, refusal: `blocks stand more than ${maxNesting} deep in one another` };
    if (TypeGuards.isTagToken(token)) read(token.name, token.args);
    else if (TypeGuards.isOutputToken(token)) read("", token.content);
  }
  return found;
}

interface Lists {
  readonly snippets: string[];
  readonly sections: string[];
  readonly groups: string[];
  readonly blocks: string[];
}

interface Found extends Lists {
  namesCart: boolean;
}

const enclosing = new Set("if unless case for tablerow capture form paginate style".split(" "));

function listFor(tag: string, lists: Lists): string[] | undefined {
  if (tag === "render" || tag === "include") return lists.snippets;
  if (tag === "section") return lists.sections;
  return tag === "sections" ? lists.groups : undefined;
}

/** `{% content_for 'block', type: 'price', id: 'price' %}` */
function blockType(markup: string): string[] {
  const [, single, double] = /\btype\s*:\s*(?:'([^']*)'|"([^"]*)")/.exec(markup) ?? [];
  const type = single ?? double;
  return type === undefined ? [] : [type];
}

/** Looks for the word outside of texts, and for variables that are named by an expression (`[name]`). */
function mayReadCart(markup: string): boolean {
  if (!markup.includes("cart") && !markup.includes("[")) return false;
  if (/(?:^|[\s,:|(=<>])\[/.test(markup)) return true;
  const bare = markup.replace(/'[^']*'|"[^"]*"/g, "''");
  return /(?<![\w.-])cart(?![\w-])/.test(bare);
}
