import type { ShopperText } from "../shopper-text.ts";

/** What is known of a variable or expression without rendering it; nothing at all, in doubt. */
export interface Value {
  /** Name of an object's type: "product". */
  readonly type?: string;
  /** What it holds, where it is a list or a look-up by name. */
  readonly item?: Value;
  /** Fields beside those of the type; without a type: all that it has. */
  readonly fields?: ReadonlyMap<string, Value>;
  /** How to say that it has no field of some name: "config/settings_schema.json has no setting". */
  readonly fieldsOf?: string;
  /** Shoppers write its text. */
  readonly shopperText?: ShopperText;
  /** The text itself. */
  readonly text?: string;
}

export const unknown: Value = {};

/** What is true of both. */
export function join(left: Value | undefined, right: Value | undefined): Value {
  if (left === right || right === undefined) return left ?? unknown;
  if (left === undefined) return right;
  const shopperText = left.shopperText ?? right.shopperText;
  const item = left.item === undefined || right.item === undefined ? undefined : join(left.item, right.item);
  const isAlike = left.type === right.type && left.fields === right.fields;
  return {
    ...(isAlike && left.type !== undefined ? { type: left.type } : {}),
    ...(isAlike && left.fields !== undefined ? { fields: left.fields } : {}),
    ...(isAlike && left.fieldsOf !== undefined ? { fieldsOf: left.fieldsOf } : {}),
    ...(item === undefined ? {} : { item }),
    ...(shopperText === undefined ? {} : { shopperText }),
    ...(left.text !== undefined && left.text === right.text ? { text: left.text } : {}),
  };
}

/** Whether both say the same. */
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

/** "product" -> a product, "variant[]" -> a list of them, "{product}" -> looked up by name, "" -> nothing is known. */
export function ofType(name: string): Value {
  if (name === "") return unknown;
  if (name.startsWith("{")) return { item: ofType(name.slice(1, -1)) };
  return name.endsWith("[]") ? { item: ofType(name.slice(0, -2)) } : { type: name };
}
