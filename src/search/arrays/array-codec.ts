/** Typed arrays that may be leaf of plain data. */
export type Numbers =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Plain data (objects, lists, texts, finite numbers, truth values) as what JSON can hold, with typed arrays replaced by
 *  `{ $: [type, offset, length] }`, and these arrays; they are meant to lie one after the other, each from a multiple of 8.
 *  @throws Error for what is not plain */
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

/** The data of a tree, its arrays as readers of the buffer in which they lie. @throws where the tree is not one of `packTree` */
export function unpackTree(tree: unknown, buffer: SharedArrayBuffer): unknown {
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
