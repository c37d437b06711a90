import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { pagePath, rawPath } from "./paths.ts";

export interface Document {
  readonly title: string;
  /** HTML of the content, with relative links within the site. */
  readonly html: string;
  /** Sections in the order of the text, one for each heading. */
  readonly sections: readonly Section[];
  /** Links to other files and to headings. */
  readonly links: readonly Link[];
}

export interface Section {
  /** Anchor of the heading. */
  readonly id: string;
  readonly heading: string;
  /** Level of the heading, from 1 to 6. */
  readonly level: number;
  /** Text up to the next heading. */
  readonly text: string;
}

export interface Link {
  /** Link target as written in the Markdown file. */
  readonly href: string;
  /** Path of the target from the root of the repository, without a slash at the end. */
  readonly target: string;
  /** Anchor of the target, or "" for a link to a file. */
  readonly anchor: string;
  readonly isImage: boolean;
  /** Text of the link. */
  readonly text: string;
  /** Heading before the link. */
  readonly heading: string;
  /** Whether the link starts a paragraph, list item, or table cell. */
  readonly isFirst: boolean;
}

const markdown = new MarkdownIt({ html: false });
// Wide code blocks and tables scroll inside the page. `tabindex` allows scrolling by keyboard.
markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => "</table></div>\n";

/** Converts a Markdown file.  @param source path from the root of the repository */
export function parseDocument(source: string, text: string): Document {
  const tokens = markdown.parse(text, {});
  const sections: { id: string; heading: string; level: number; text: string }[] = [];
  const links: Link[] = [];
  const ids = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = plainText(tokens[index + 1]?.children ?? []);
      const id = uniqueId(heading, ids);
      token.attrSet("id", id);
      sections.push({ id, heading, level: Number(token.tag.slice(1)), text: "" });
    } else if (token.type === "inline") {
      convertLinks(source, token, sections.at(-1)?.heading ?? "", links);
      if (tokens[index - 1]?.type !== "heading_open") addText(sections.at(-1), plainText(token.children ?? []));
    } else if (token.type === "fence") {
      addText(sections.at(-1), token.content);
      token.type = "code_block";
      token.attrSet("tabindex", "0");
    }
  }
  convertNotes(tokens);
  fillEmptyHeaders(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return { title: sections[0]?.heading ?? source, html, sections, links };
}

function addText(section: { text: string } | undefined, text: string): void {
  if (section !== undefined) section.text += section.text === "" ? text : ` ${text}`;
}

/** Replaces links of the repository by links of the site. */
function convertLinks(source: string, { children }: Token, heading: string, links: Link[]): void {
  for (const [index, token] of (children ?? []).entries()) {
    const isImage = token.type === "image";
    if (!isImage && token.type !== "link_open") continue;
    const attribute = isImage ? "src" : "href";
    const href = String(token.attrGet(attribute) ?? "");
    if (/^[a-z]+:/.test(href)) continue;
    const [path = "", anchor = ""] = decodeURI(href).split("#");
    const target = path === "" ? source : posix.join(posix.dirname(source), path).replace(/\/$/, "");
    const end = (children ?? []).findIndex(({ type }, at) => at > index && type === "link_close");
    const text = plainText((children ?? []).slice(index + 1, end));
    links.push({
      href,
      target,
      anchor,
      isImage,
      text,
      heading,
      isFirst: index === 0 || (children?.[0]?.content === "" && index === 1),
    });
    const to = posix.relative(posix.dirname(pagePath(source)), isImage ? rawPath(target) : pagePath(target));
    token.attrSet(attribute, path === "" ? href : encodeURI(anchor === "" ? to : `${to}#${anchor}`));
  }
}

/** Converts block quotes that start with `[!NOTE]` or `[!WARNING]` to notes. */
function convertNotes(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "blockquote_open") continue;
    const [firstToken, ...otherTokens] = tokens[index + 2]?.children ?? [];
    const [, kind] = /^\[!(NOTE|WARNING)\]$/.exec(firstToken?.content ?? "") ?? [];
    if (firstToken === undefined || kind === undefined) continue;
    firstToken.content = kind === "NOTE" ? "Note:" : "Warning:";
    token.attrSet("class", kind.toLowerCase());
    for (const { type } of otherTokens.slice(0, 1))
      if (type !== "softbreak") throw new Error(`text follows [!${kind}] on its line`);
  }
}

/** Converts empty header cells to plain cells, because a header cell needs a text. */
function fillEmptyHeaders(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries())
    if (token.type === "th_open" && tokens[index + 1]?.content === "")
      for (const cell of [token, tokens[index + 2]]) if (cell !== undefined) cell.tag = "td";
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => (type === "softbreak" || type === "hardbreak" ? " " : type === "image" ? "" : content))
    .join("");
}

/** Returns the anchor of a heading, as GitHub derives it.  @param ids number of uses of each anchor so far; updated */
function uniqueId(heading: string, ids: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
