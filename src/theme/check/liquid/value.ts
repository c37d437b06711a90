import type { ShopperText } from "../shopper-text.ts";

/** Static knowledge about a variable or expression; empty if nothing is certain. */
export interface Value {
  /** Name of the object type: "product". */
  readonly type?: string;
  /** Its items if it is a list or is indexed by name. */
  readonly item?: Value;
  /** Fields in addition to fields of the type; without a type, all fields. */
  readonly fields?: ReadonlyMap<string, Value>;
  /** Message for an unknown field: "config/settings_schema.json has no setting". */
  readonly fieldsOf?: string;
  /** Set if shoppers write the text. */
  readonly shopperText?: ShopperText;
  /** The text, if it is constant. */
  readonly text?: string;
}

export const unknown: Value = {};

/** Returns the knowledge that holds for both. */
export function join(left: Value | undefined, right: Value | undefined): Value {
  if (left === right || right === undefined) return left ?? unknown;
  if (left === undefined) return right;
  const shopperText = left.shopperText ?? right.shopperText;
  const item = left.item === undefined || right.item === undefined ? undefined : join(left.item, right.item);
  const hasSameFields = left.type === right.type && left.fields === right.fields;
  return {
    ...(hasSameFields && left.type !== undefined ? { type: left.type } : {}),
    ...(hasSameFields && left.fields !== undefined ? { fields: left.fields } : {}),
    ...(hasSameFields && left.fieldsOf !== undefined ? { fieldsOf: left.fieldsOf } : {}),
    ...(item === undefined ? {} : { item }),
    ...(shopperText === undefined ? {} : { shopperText }),
    ...(left.text !== undefined && left.text === right.text ? { text: left.text } : {}),
  };
}

/** Returns whether both contain the same knowledge. */
export function isSame(left: Value | undefined, right: Value | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return (
    left.type === right.type &&
    left.fields === right.fields &&
    left.shopperText === right.shopperText &&
    left.text === right.text &&
    isSame(left.item, right.item)
  );
}

/** "product": a product; "variant[]": a list of variants; "{product}": products indexed by name; "": unknown. */
export function ofType(name: string): Value {
  if (name === "") return unknown;
  if (name.startsWith("{")) return { item: ofType(name.slice(1, -1)) };
  return name.endsWith("[]") ? { item: ofType(name.slice(0, -2)) } : { type: name };
}
