/**
 * An object of the program in templates. Templates read only what `field` returns, never properties of the object.
 *
 * @example
 * class ProductDrop extends Drop {
 *   constructor(readonly product: Product) { super(); }
 *   field(key: string | number) { return key === "title" ? this.product.title : undefined; }
 * }
 */
export abstract class Drop {
  /** Returns a field of `drop.key` or `drop[key]`; undefined if it does not exist. */
  abstract field(key: string | number): unknown;

  /** Returns the text that `{{ drop }}` prints. Default: "". */
  toText(): string {
    return "";
  }

  /** Returns the value in conditions, comparisons, and filters: itself, or a string, number, boolean, or null. Default: itself. */
  toValue(): unknown {
    return this;
  }

  /** Implements `==` with another object. Default: the same object. */
  equals(other: unknown): boolean {
    return this === other;
  }

  /** Returns whether the drop equals `empty`; undefined if it cannot be empty. Default: undefined. */
  isEmpty(): boolean | undefined {
    return undefined;
  }

  /** Returns the items for loops and list filters; undefined if the drop is not a list. Default: undefined. */
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
