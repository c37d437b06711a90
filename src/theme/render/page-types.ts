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

/** Text files for agents that a theme may have a template for. They are rendered without a layout. */
export const agentFiles = ["agents.md", "llms.txt", "llms-full.txt"] as const;

export type AgentFile = (typeof agentFiles)[number];

/** Type of a page: the name of its template. */
export type PageType = (typeof pageTypes)[number] | AgentFile;

/** Returns the file of this name if the theme has a valid template for it. */
export function findAgentFile(theme: CompiledTheme, name: string): AgentFile | undefined {
  const file = agentFiles.find((candidate) => candidate === name);
  const exists = file !== undefined && theme.has(`templates/${file}.liquid`);
  return exists && findTemplateError(theme, file) === undefined ? file : undefined;
}

export function isAgentFile(type: PageType): type is AgentFile {
  return agentFiles.some((file) => file === type);
}
