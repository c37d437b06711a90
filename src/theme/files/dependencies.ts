import { readMarkup } from "@vitrine/liquid/tree";

/** Names in a Liquid file, found without rendering it. */
export interface Dependencies {
  /** It may read the global `cart`; true if uncertain. */
  readonly namesCart: boolean;
  /** It may read the global `customer`; true if uncertain. */
  readonly namesCustomer: boolean;
  /** It may read the customer's orders; true if uncertain. */
  readonly namesOrders: boolean;
  readonly snippets: readonly string[];
  /** Sections and section groups that it places. */
  readonly sections: readonly string[];
  readonly groups: readonly string[];
  /** Files of `blocks/` that it places itself, without extension. */
  readonly blocks: readonly string[];
}

/** @param source Liquid without its data blocks; parts that cannot be parsed contain no names */
export function findDependencies(source: string): Dependencies {
  const found: Found = {
    ...{ namesCart: false, namesCustomer: false, namesOrders: false },
    ...{ snippets: [], sections: [], groups: [], blocks: [] },
  };
  for (const { name, markup } of readMarkup(source)) {
    const named = /^\s*(?:'([^']*)'|"([^"]*)")/.exec(markup);
    const target = named?.[1] ?? named?.[2];
    if (target !== undefined) listFor(name, found)?.push(target);
    if (name === "block" && target !== undefined) found.blocks.push(target);
    if (name === "content_for" && target === "block") found.blocks.push(...blockType(markup));
    const isUnknown = name === "include" && target === undefined;
    if (isUnknown || mayRead("cart", markup)) found.namesCart = true;
    if (isUnknown || mayRead("customer", markup)) found.namesCustomer = true;
    if (isUnknown || ordersField.test(markup)) found.namesOrders = true;
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
  namesCustomer: boolean;
  namesOrders: boolean;
}

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

/** Fields of the customer that show orders, and fields named by an expression. */
const ordersField = /(?<![\w-])(?:orders(?:_count)?|last_order|total_spent)(?![\w-])|customer\s*\[/;

/** Searches for the word outside string literals, and for variables named by an expression (`[name]`). */
function mayRead(name: "cart" | "customer", markup: string): boolean {
  if (!markup.includes(name) && !markup.includes("[")) return false;
  if (/(?:^|[\s,:|(=<>])\[|(?<![\w.-])self\s*\[/.test(markup)) return true;
  const bare = markup.replace(/'[^']*'|"[^"]*"/g, "''");
  return bareNames[name].test(bare);
}

const bareNames = { cart: /(?<![\w.-])cart(?![\w-])/, customer: /(?<![\w.-])customer(?![\w-])/ };
