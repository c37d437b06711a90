import { type CompiledTheme, findTemplateError } from "../files/compiled-theme.ts";

/** Types of pages. Each type has a template of the same name. */
export const pageTypes = [
  "index",
  "product",
  "collection",
  "list-collections",
  "page",
  "blog",
  "article",
  "bundle",
  "search",
  "cart",
  "checkout",
  "gift_card",
  "customers/account",
  "customers/activate_account",
  "customers/addresses",
  "customers/login",
  "customers/order",
  "customers/register",
  "customers/reset_password",
  "order",
  "404",
] as const;

/** Text files for crawlers and agents that a theme may have a template for. They are rendered without a layout. */
export const textFiles = ["robots.txt", "agents.md", "llms.txt", "llms-full.txt"] as const;

export type TextFileName = (typeof textFiles)[number];

/** Type of a page: the name of its template. */
export type PageType = (typeof pageTypes)[number] | TextFileName;

/** Returns the file of this name if the theme has a valid template for it. */
export function findTextFile(theme: CompiledTheme, name: string): TextFileName | undefined {
  const file = textFiles.find((candidate) => candidate === name);
  const exists = file !== undefined && theme.has(`templates/${file}.liquid`);
  return exists && findTemplateError(theme, file) === undefined ? file : undefined;
}

export function isTextFile(type: PageType): type is TextFileName {
  return textFiles.some((file) => file === type);
}
