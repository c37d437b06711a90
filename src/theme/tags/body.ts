import type { Parser, TagToken, Template, TopLevelToken } from "liquidjs";

/** The templates between a tag and its end tag. @throws Error where the end is missing */
export function parseBody(opener: TagToken, remaining: TopLevelToken[], parser: Parser, endName: string): Template[] {
  const templates: Template[] = [];
  const stream = parser
    .parseStream(remaining)
    .on<Template>("template", (template) => {
      templates.push(template);
    })
    .on(`tag:${endName}`, () => {
      stream.stop();
    })
    .on("end", () => {
      throw new Error(`tag ${opener.getText()} not closed`);
    });
  stream.start();
  return templates;
}
