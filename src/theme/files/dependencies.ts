import { readMarkup } from "@vitrine/liquid/tree";

/** The kinds of data that Liquid files may read. True if uncertain. */
export interface DataReads {
  /** The global `cart`. */
  readonly cart: boolean;
  /** The global `customer`. */
  readonly customer: boolean;
  /** The customer's orders. */
  readonly orders: boolean;
}

/** Names that a Liquid file uses, found without rendering the file. */
export interface Dependencies {
  readonly reads: DataReads;
  readonly snippets: readonly string[];
  /** Sections and section groups that the file renders. */
  readonly sections: readonly string[];
  readonly groups: readonly string[];
  /** Names of files in `blocks/`, without extension, that the file renders by name. */
  readonly blocks: readonly string[];
}

/**
 * Finds the names that a Liquid file uses.
 * @param source Liquid without data blocks; parts that cannot be parsed are ignored
 */
export function findDependencies(source: string): Dependencies {
  const reads = { cart: false, customer: false, orders: false };
  const names: Record<Exclude<keyof Dependencies, "reads">, string[]> = {
    snippets: [],
    sections: [],
    groups: [],
    blocks: [],
  };
  for (const { name, markup } of readMarkup(source)) {
    const match = /^\s*(?:'([^']*)'|"([^"]*)")/.exec(markup);
    const target = match?.[1] ?? match?.[2];
    const kind = kindsByTag.get(name);
    if (target !== undefined && kind !== undefined) names[kind].push(target);
    if (name === "content_for" && target === "block") names.blocks.push(...parseBlockTypes(markup));
    const isUnknownInclude = name === "include" && target === undefined;
    if (isUnknownInclude || mentionsVariable("cart", markup)) reads.cart = true;
    if (isUnknownInclude || mentionsVariable("customer", markup)) reads.customer = true;
    if (isUnknownInclude || ordersPattern.test(markup)) reads.orders = true;
  }
  return { reads, ...names };
}

/** Kinds of files that tags render by a literal name. */
const kindsByTag = new Map([
  ["render", "snippets"],
  ["include", "snippets"],
  ["section", "sections"],
  ["sections", "groups"],
  ["block", "blocks"],
] as const) as ReadonlyMap<string, Exclude<keyof Dependencies, "reads">>;

/** Returns the block type in `{% content_for 'block', type: 'price', id: 'price' %}`. */
function parseBlockTypes(markup: string): string[] {
  const [, singleQuotedName, doubleQuotedName] = /\btype\s*:\s*(?:'([^']*)'|"([^"]*)")/.exec(markup) ?? [];
  const type = singleQuotedName ?? doubleQuotedName;
  return type === undefined ? [] : [type];
}

/** Matches the customer fields that depend on orders, and customer fields whose name is an expression. */
const ordersPattern =
  /(?<![\w-])(?:orders(?:_count)?|last_order|total_spent)(?![\w-])|customer\s*(?:\[|\.\s*store_credit)/;

/**
 * Returns whether the markup may read the variable. A variable whose name is an expression (`[name]`) could be any
 * variable. Names inside string literals are ignored.
 */
function mentionsVariable(name: "cart" | "customer", markup: string): boolean {
  if (!markup.includes(name) && !markup.includes("[")) return false;
  if (/(?:^|[\s,:|(=<>])\[|(?<![\w.-])self\s*\[/.test(markup)) return true;
  const unquotedMarkup = markup.replace(/'[^']*'|"[^"]*"/g, "''");
  return variablePatterns[name].test(unquotedMarkup);
}

const variablePatterns = { cart: /(?<![\w.-])cart(?![\w-])/, customer: /(?<![\w.-])customer(?![\w-])/ };
