/** An object of the program that templates may look at: of it they see what this class names, and nothing else. */
export abstract class Drop {
  /** A field; undefined where it has none of that name. */
  abstract field(key: string | number): unknown;

  /** What `{{ drop }}` prints. */
  toText(): string {
    return "";
  }

  /** What stands for it in conditions and comparisons, and to filters that compare: itself, or a text, number or boolean. */
  toValue(): unknown {
    return this;
  }

  /** What `==` says where both sides are drops. */
  equals(other: unknown): boolean {
    return this === other;
  }

  /** undefined: it is nothing that could be empty. */
  isEmpty(): boolean | undefined {
    return undefined;
  }

  /** What loops and filters of lists go through; undefined: it is no list. */
  items(): readonly unknown[] | undefined {
    return undefined;
  }
}

/** What a drop stands for; other values are themselves. */
export function plainValue(value: unknown): unknown {
  return value instanceof Drop ? value.toValue() : value;
}

/** Everything but nil and false. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (!(value instanceof Drop)) return true;
  const stands = value.toValue();
  return stands !== undefined && stands !== null && stands !== false;
}
