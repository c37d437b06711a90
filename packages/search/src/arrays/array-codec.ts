export type NumericArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/**
 * Converts plain data (objects, lists, strings, finite numbers, booleans) to JSON values. Each typed array is replaced
 * by `{ $: [type, offset, length] }`. The caller writes the arrays in sequence, each aligned to 8 bytes.
 * @throws Error if the data contains another kind of value
 */
export function packTree(data: object): { readonly tree: unknown; readonly arrays: readonly NumericArray[] } {
  const arrays: NumericArray[] = [];
  let offset = 0;
  const packValue = (value: unknown): unknown => {
    if (value === undefined || typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return value.map(packValue);
    const type = arrayTypeNames.find((name) => value instanceof arrayConstructors[name]);
    if (type !== undefined) {
      const array = value as NumericArray;
      const location = [type, offset, array.length];
      arrays.push(array);
      offset += Math.ceil(array.byteLength / 8) * 8;
      return { $: location };
    }
    const isPlainObject = typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlainObject || "$" in value) throw new Error(`cannot be kept in a file: ${String(value)}`);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, packValue(item)]));
  };
  return { tree: packValue(data), arrays };
}

/**
 * Decodes the result of `packTree`. The returned arrays are views of `buffer`.
 * @throws Error if the tree is invalid
 */
export function unpackTree(tree: unknown, buffer: ArrayBufferLike): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((item) => unpackTree(item, buffer));
  if ("$" in tree) {
    const [type, offset, length] = tree.$ as [keyof typeof arrayConstructors, number, number];
    return new (arrayConstructors[type] as Uint8ArrayConstructor)(buffer, offset, length);
  }
  return Object.fromEntries(Object.entries(tree).map(([name, item]) => [name, unpackTree(item, buffer)]));
}

const arrayConstructors = {
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Float32Array,
  Float64Array,
} as const;
const arrayTypeNames = Object.keys(arrayConstructors) as readonly (keyof typeof arrayConstructors)[];

/** Returns the bytes of an array, without copying them. */
export function getByteView({ buffer, byteOffset, byteLength }: NumericArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
