import { InlineCommentTag, LiquidTag, type Parser, type TagToken, type Template, type TopLevelToken } from "liquidjs";

/** A tag that may turn out to print nothing but blanks, which Liquid leaves out. */
export interface Block {
  readonly isBlank: boolean;
}

/** The templates between a tag and its end tag. @throws Error where the end is missing */
export function parseBody(opener: TagToken, remaining: TopLevelToken[], parser: Parser, endName: string): Template[] {
  return parseBranches(opener, remaining, parser, endName, {})[0] as Template[];
}

/** The templates between a tag and its end tag, apart for each tag in between that begins a new branch.
 *  @param starts tag name -> told of the tag; its branch comes next. It returns false where what follows is not to be kept
 *  @throws Error where the end is missing */
export function parseBranches(
  opener: TagToken,
  remaining: TopLevelToken[],
  parser: Parser,
  endName: string,
  starts: Readonly<Record<string, (token: TagToken) => boolean>>,
): Template[][] {
  let branch: Template[] = [];
  const branches = [branch];
  const stream = parser
    .parseStream(remaining)
    .on<Template>("template", (template) => {
      branch.push(template);
    })
    .on(`tag:${endName}`, () => {
      stream.stop();
    })
    .on("end", () => {
      throw new Error(`tag ${opener.getText()} not closed`);
    });
  for (const [name, start] of Object.entries(starts))
    stream.on<TagToken>(`tag:${name}`, (token) => {
      branch = [];
      if (start(token)) branches.push(branch);
    });
  stream.start();
  return branches;
}

/** Takes blanks out of bodies that print nothing else. @returns whether that is so */
export function dropBlanks(bodies: readonly Template[][]): boolean {
  const isBlank = bodies.every((body) => body.every(printsNothing));
  if (isBlank)
    for (const body of bodies)
      body.splice(0, body.length, ...body.filter((template) => blankText(template) === undefined));
  return isBlank;
}

function printsNothing(template: Template): boolean {
  if (template instanceof LiquidTag) return template.templates.every(printsNothing);
  if (template instanceof InlineCommentTag) return true;
  return blankText(template) !== undefined || (template as Partial<Block>).isBlank === true;
}

/** The text of a piece of plain text that is nothing but blanks. */
function blankText(template: Template): string | undefined {
  const text: unknown = Reflect.get(template, "str");
  return typeof text === "string" && text.trim() === "" ? text : undefined;
}
