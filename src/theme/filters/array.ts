import { filters as builtIn, isTruthy, toValue } from "liquidjs";
import { checkSize, LimitError } from "../liquid/budget.ts";
import { isEqual } from "../liquid/operators.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { floatOf, WholeFloat } from "../liquid/whole-float.ts";
import { BareDrop, LookUp } from "../objects/template-object.ts";
import { type Filter, type FilterCall, type FilterFamily, fieldOf, plain, textOf } from "./filter.ts";
import { numeric } from "./math.ts";

/** Characters of a field's path; it is taken apart for every item. */
const maxPath = 200;

/** Lists in a list count as their items; what is no list is a list of itself. */
export const arrayFilters: FilterFamily = {
  sort(value, path) {
    return (builtIn.sort as Filter).call(this, listOf(value), pathOf(path));
  },
  sort_natural(value, path) {
    return (builtIn.sort_natural as Filter).call(this, listOf(value), pathOf(path));
  },
  where(value, ...args) {
    const isMatch = matcher(this, args);
    return listOf(value).filter(isMatch);
  },
  reject(value, ...args) {
    const isMatch = matcher(this, args);
    return listOf(value).filter((item) => !isMatch(item));
  },
  find(value, ...args) {
    return listOf(value).find(matcher(this, args));
  },
  find_index(value, ...args) {
    const index = listOf(value).findIndex(matcher(this, args));
    return index < 0 ? undefined : index;
  },
  has(value, ...args) {
    return listOf(value).some(matcher(this, args));
  },
  map(value, path) {
    const name = pathOf(path) ?? "";
    return listOf(value).map((item) => fieldOf(this, item, name));
  },
  sum(value, path) {
    const name = pathOf(path);
    let sum = 0;
    let isFloat = false;
    for (const item of listOf(value)) {
      const one = numeric(plain(name === undefined ? item : fieldOf(this, item, name)));
      sum += one.number;
      isFloat ||= one.isFloat;
    }
    return isFloat ? floatOf(Number(sum.toPrecision(15))) : sum;
  },
  uniq(value, path) {
    const name = pathOf(path);
    const seen = new Set<unknown>();
    return listOf(value).filter((item) => {
      const key = identity(name === undefined ? item : fieldOf(this, item, name));
      return seen.size < seen.add(key).size;
    });
  },
  compact(value, path) {
    const name = pathOf(path);
    return listOf(value).filter((item) => {
      const kept = plain(name === undefined ? item : fieldOf(this, item, name));
      return kept !== undefined && kept !== null;
    });
  },
  concat(value, other) {
    const added = plain(other);
    this.context.memoryLimit.use(listOf(value).length);
    return [...listOf(value), ...(Array.isArray(added) || added instanceof LookUp ? listOf(added, false) : [])];
  },
  reverse(value) {
    return listOf(value).toReversed();
  },
  join(value, glue = " ") {
    const between = textOf(glue);
    const parts = listOf(value).map(textOf);
    this.context.memoryLimit.use(parts.reduce((sum, part) => sum + part.length + between.length, 0));
    return parts.join(between);
  },
  first: (value) => endOf(value, 0),
  last: (value) => endOf(value, -1),
  size(value) {
    if (value instanceof SafeHtml) return value.text.length;
    if (value instanceof WholeFloat) return 0;
    if (value instanceof BareDrop && typeof toValue(value) !== "string")
      return value.liquidMethodMissing("size", this.context) ?? 0;
    const counted: unknown = toValue(value);
    if (typeof counted === "string" || Array.isArray(counted)) return counted.length;
    return typeof counted === "object" && counted !== null ? Object.keys(counted).length : 0;
  },
};

/** `'field'`: whatever is neither false nor nil; `'field', value`: what equals it, unless that is nil.
 *  In a list of texts the name is a part of the text. */
function matcher(call: FilterCall, [path, expected]: readonly unknown[]): (item: unknown) => boolean {
  const text = path === undefined ? "" : textOf(path);
  const name = Array.isArray(path) ? "" : checkedPath(text);
  const wanted = plain(expected);
  return (item) => {
    const field = named(call, item, name, path);
    return wanted === undefined || wanted === null ? isTruthy(field, call.context) : isEqual(field, wanted);
  };
}

function named(call: FilterCall, item: unknown, name: string, path: unknown): unknown {
  if (typeof item === "string") return name !== "" && item.includes(name) ? name : undefined;
  if (typeof item === "number") return item === plain(path) ? item : undefined;
  return name === "" ? undefined : fieldOf(call, item, name);
}

function listOf(value: unknown, isDeep = true): readonly unknown[] {
  if (value instanceof LookUp) return [...value];
  const list = plain(value);
  if (Array.isArray(list)) {
    if (!isDeep || !list.some(Array.isArray)) return list;
    const items = list.flat(8);
    checkSize(items);
    return items;
  }
  return list === undefined || list === null || list === "" ? [] : [list];
}

function endOf(value: unknown, index: 0 | -1): unknown {
  const shown = value instanceof LookUp ? [...value] : plain(value);
  if (Array.isArray(shown)) return shown.at(index);
  if (typeof shown !== "object" || shown === null || shown instanceof BareDrop) return undefined;
  return Object.entries(shown).at(index);
}

/** Texts that are escaped already are the same as their text; objects are the same as themselves alone. */
function identity(value: unknown): unknown {
  if (value instanceof SafeHtml) return value.html;
  if (value instanceof WholeFloat) return value.number;
  const shown = value instanceof BareDrop ? toValue(value) : plain(value);
  return Array.isArray(shown) || (typeof shown === "object" && shown?.constructor === Object)
    ? JSON.stringify(shown).slice(0, 1_000)
    : shown;
}

/** undefined where no field is named. @throws Error where the name is no name */
function pathOf(path: unknown): string | undefined {
  if (path === undefined || plain(path) === null) return undefined;
  const text = Array.isArray(path) ? "" : checkedPath(textOf(path));
  return text === "" ? undefined : text;
}

function checkedPath(text: string): string {
  if (text.length > maxPath) throw new LimitError(`a field's name of more than ${maxPath} characters`);
  return text;
}
