import { Drop } from "@vitrine/liquid";
import { createObjectType } from "../template-object.ts";

// Declares the fields for theme checks only. The class `TemplateName` below implements them.
createObjectType<TemplateName>("template", {
  name: (template) => template.field("name"),
  suffix: (template) => template.field("suffix"),
  directory: (template) => template.field("directory"),
});

/**
 * The `template` object. It prints a name such as "product.wide" and equals this string. The alternative name "wide" is
 * its `suffix`.
 */
export class TemplateName extends Drop {
  readonly template: string;

  constructor(template: string) {
    super();
    this.template = template;
  }

  override toText(): string {
    return this.template;
  }

  override toValue(): unknown {
    return this.template;
  }

  field(key: string | number): unknown {
    const [, directory, name = ""] = /^(?:(.+)\/)?([^.]*)/.exec(this.template) ?? [];
    if (key === "name") return name;
    if (key === "directory") return directory;
    if (key === "suffix") return this.template.split(".").slice(1).join(".") || undefined;
    return key === "size" ? this.template.length : undefined;
  }
}
