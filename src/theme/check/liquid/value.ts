import type { ShopperText } from "../shopper-text.ts";

/**
 * The properties of a variable or expression that are known without rendering it. An empty object means that none is
 * known.
 */
export interface Value {
  /** Name of the object type: "product". */
  readonly type?: string;
  /**
   * For a list, the type of its items. For an object such as `pages`, which finds entries by handle, the type of these
   * entries.
   */
  readonly item?: Value;
  /** Additional fields, besides the fields of the type. If the type is undefined, the value has only these fields. */
  readonly fields?: ReadonlyMap<string, Value>;
  /** Start of the error message for an unknown field: "config/settings_schema.json has no setting". */
  readonly missingFieldMessage?: string;
  /** Set if shoppers write the text, so that templates must escape it. */
  readonly shopperText?: ShopperText;
  /** The text, if it is constant. */
  readonly text?: string;
}

export const unknownValue: Value = {};

/**
 * Merges two possible values of a variable. The result has the properties that both values have in common. It is marked
 * as text written by shoppers if either value is.
 */
export function joinValues(left: Value | undefined, right: Value | undefined): Value {
  if (left === right || right === undefined) return left ?? unknownValue;
  if (left === undefined) return right;
  const shopperText = left.shopperText ?? right.shopperText;
  const item = left.item === undefined || right.item === undefined ? undefined : joinValues(left.item, right.item);
  const hasSameFields = left.type === right.type && left.fields === right.fields;
  return {
    ...(hasSameFields && left.type !== undefined ? { type: left.type } : {}),
    ...(hasSameFields && left.fields !== undefined ? { fields: left.fields } : {}),
    ...(hasSameFields && left.missingFieldMessage !== undefined
      ? { missingFieldMessage: left.missingFieldMessage }
      : {}),
    ...(item === undefined ? {} : { item }),
    ...(shopperText === undefined ? {} : { shopperText }),
    ...(left.text !== undefined && left.text === right.text ? { text: left.text } : {}),
  };
}

/** Returns whether two values have the same known properties. */
export function isSameValue(left: Value | undefined, right: Value | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return (
    left.type === right.type &&
    left.fields === right.fields &&
    left.shopperText === right.shopperText &&
    left.text === right.text &&
    isSameValue(left.item, right.item)
  );
}

/**
 * Parses the name of a type: "product" is a product, "variant[]" a list of variants, "{product}" an object in which
 * each field is a product. An empty name means that the type is unknown.
 */
export function parseType(name: string): Value {
  if (name === "") return unknownValue;
  if (name.startsWith("{")) return { item: parseType(name.slice(1, -1)) };
  return name.endsWith("[]") ? { item: parseType(name.slice(0, -2)) } : { type: name };
}
