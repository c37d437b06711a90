/**
 * An object that a program exposes to templates. Templates can read only what `field` returns, never other properties.
 *
 * @example class ProductDrop extends Drop {
 *   constructor(readonly product: Product) { super(); }
 *   field(key: string | number) { return key === "title" ? this.product.title : undefined; }
 * }
 */
export abstract class Drop {
  /**
   * Returns the field for `drop.key` or `drop[key]`; undefined if it does not exist. For nil, the key is "", and for a drop,
   * its text.
   */
  abstract field(key: string | number): unknown;

  /** Returns the text that `{{ drop }}` prints. Default: "". */
  toText(): string {
    return "";
  }

  /**
   * Returns the value used in conditions, comparisons, and filters: a string, number, boolean, or null. Default: the
   * drop itself.
   */
  toValue(): unknown {
    return this;
  }

  /** Implements `==`. Default: a drop equals only itself. */
  equals(other: unknown): boolean {
    return this === other;
  }

  /** Returns whether the drop equals `empty`. Default: undefined, for a drop that is not a collection of items. */
  isEmpty(): boolean | undefined {
    return undefined;
  }

  /** Returns the items for loops and list filters; undefined if the drop is not a list. Default: undefined. */
  items(): readonly unknown[] | undefined {
    return undefined;
  }
}

/** Returns the value that a drop represents. Other values are returned unchanged. */
export function toPlainValue(value: unknown): unknown {
  return value instanceof Drop ? value.toValue() : value;
}

/** Returns whether a value counts as true in a condition: every value except nil and false. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (!(value instanceof Drop)) return true;
  const plainValue = value.toValue();
  return plainValue !== undefined && plainValue !== null && plainValue !== false;
}
