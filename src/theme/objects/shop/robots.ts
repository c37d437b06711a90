import type { RobotsRules } from "../../robots.ts";
import { createObjectType, type ObjectType, TemplateObject, TextObject } from "../template-object.ts";

/** Type of the `robots` object, which `templates/robots.txt.liquid` prints. */
export const robotsType = createObjectType<RobotsRules>(
  "robots",
  { default_groups: (rules) => [new TemplateObject(groupType, rules)] },
  {},
  { fieldTypes: { default_groups: "group[]" } },
);

const groupType = createObjectType<RobotsRules>(
  "group",
  {
    user_agent: () => createLine(userAgentType, "User-agent", "*"),
    rules: ({ disallowedPaths }) => disallowedPaths.map((path) => createLine(ruleType, "Disallow", path)),
    sitemap: ({ sitemap }) => createLine(sitemapType, "Sitemap", sitemap),
  },
  {},
  { fieldTypes: { user_agent: "user_agent", rules: "rule[]", sitemap: "sitemap" } },
);

interface Line {
  readonly directive: string;
  readonly value: string;
}

const userAgentType = createLineType("user_agent");
const ruleType = createLineType("rule");
const sitemapType = createLineType("sitemap");

function createLineType(name: string): ObjectType<Line> {
  return createObjectType(name, { directive: (line) => line.directive, value: (line) => line.value });
}

/**
 * Creates an object that prints a line of the file. It prints the line ends, too, because templates remove the blanks
 * around it.
 */
function createLine(type: ObjectType<Line>, directive: string, value: string): TextObject<Line> {
  return new TextObject(type, { directive, value }, `\n${directive}: ${value}\n`);
}
