/** An object of the program in templates: templates can access only the members of this class. */
export abstract class Drop {
  /** Returns a field; undefined if it does not exist. */
  abstract field(key: string | number): unknown;

  /** Returns the output of `{{ drop }}`. */
  toText(): string {
    return "";
  }

  /** Returns the value in conditions and comparisons: itself, or a string, number or boolean. */
  toValue(): unknown {
    return this;
  }

  /** Implements `==` between two drops. */
  equals(other: unknown): boolean {
    return this === other;
  }

  /** Returns undefined if it cannot be empty. */
  isEmpty(): boolean | undefined {
    return undefined;
  }

  /** Returns the items for loops and list filters; undefined if it is not a list. */
  items(): readonly unknown[] | undefined {
    return undefined;
  }
}

/** Returns the value of a drop; other values unchanged. */
export function plainValue(value: unknown): unknown {
  return value instanceof Drop ? value.toValue() : value;
}

/** Everything except nil and false. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (!(value instanceof Drop)) return true;
  const stands = value.toValue();
  return stands !== undefined && stands !== null && stands !== false;
}
