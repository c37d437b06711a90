import { BareDrop, hideInherited, objectType } from "../template-object.ts";

// For checkers alone: the fields are read below.
objectType<undefined>("template", {}, {}, { absent: "name suffix directory" });

/** `template`: prints and compares as "product.alternate", and has `name` and `suffix`. */
export class TemplateName extends BareDrop {
  static {
    hideInherited(TemplateName.prototype);
    Object.defineProperty(TemplateName.prototype, "valueOf", { value: full });
  }

  readonly template: string;

  constructor(template: string) {
    super();
    this.template = template;
  }

  override [Symbol.toPrimitive](): string {
    return this.template;
  }

  override liquidMethodMissing(key: string | number): unknown {
    if (key === "name") return this.template.split(".", 1)[0];
    if (key === "suffix") return this.template.split(".").slice(1).join(".") || undefined;
    return key === "size" ? this.template.length : undefined;
  }
}

function full(this: TemplateName): string {
  return this.template;
}
