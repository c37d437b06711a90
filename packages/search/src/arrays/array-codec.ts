/** Typed arrays in plain data. */
export type Numbers =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/**
 * Encodes plain data (objects, lists, strings, finite numbers, booleans) as JSON values, with each typed array replaced
 * by `{ $: [type, offset, length] }`. The arrays are to be written in sequence, each aligned to 8 bytes.
 * @throws Error for other data
 */
export function packTree(data: object): { readonly tree: unknown; readonly arrays: readonly Numbers[] } {
  const arrays: Numbers[] = [];
  let offset = 0;
  const pack = (value: unknown): unknown => {
    if (value === undefined || typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return value.map(pack);
    const type = typeNames.find((name) => value instanceof types[name]);
    if (type !== undefined) {
      const array = value as Numbers;
      const location = [type, offset, array.length];
      arrays.push(array);
      offset += Math.ceil(array.byteLength / 8) * 8;
      return { $: location };
    }
    const isPlain = typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlain || "$" in value) throw new Error(`cannot be kept in a file: ${String(value)}`);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one)]));
  };
  return { tree: pack(data), arrays };
}

/** Decodes data of `packTree`; its arrays are views of the buffer.  @throws Error if the tree is invalid */
export function unpackTree(tree: unknown, buffer: ArrayBufferLike): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((one) => unpackTree(one, buffer));
  if ("$" in tree) {
    const [type, offset, length] = tree.$ as [keyof typeof types, number, number];
    return new (types[type] as Uint8ArrayConstructor)(buffer, offset, length);
  }
  return Object.fromEntries(Object.entries(tree).map(([name, one]) => [name, unpackTree(one, buffer)]));
}

const types = {
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Float32Array,
  Float64Array,
} as const;
const typeNames = Object.keys(types) as readonly (keyof typeof types)[];
