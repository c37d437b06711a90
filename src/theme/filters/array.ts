import { filters as builtIn, isTruthy, toValue } from "liquidjs";
import { BareDrop, LookUp } from "../objects/template-object.ts";
import { SafeHtml } from "../safe-html.ts";
import { type Filter, type FilterCall, type FilterFamily, fieldOf, plain, textOf } from "./filter.ts";

/** Characters of a field's path; it is taken apart for every item. */
const maxPath = 200;

const where: Filter = function (value, path, ...expected) {
  const name = pathOf(path) ?? "";
  return listOf(value).filter((item) => isMatch(this, item, name, expected));
};

export const arrayFilters: FilterFamily = {
  sort(value, path) {
    return (builtIn.sort as Filter).call(this, listOf(value), pathOf(path));
  },
  sort_natural(value, path) {
    return (builtIn.sort_natural as Filter).call(this, listOf(value), pathOf(path));
  },
  where,
  reject(value, path, ...expected) {
    const name = pathOf(path) ?? "";
    return listOf(value).filter((item) => !isMatch(this, item, name, expected));
  },
  find(value, path, ...expected) {
    const name = pathOf(path) ?? "";
    return listOf(value).find((item) => isMatch(this, item, name, expected));
  },
  find_index(value, path, ...expected) {
    const name = pathOf(path) ?? "";
    const index = listOf(value).findIndex((item) => isMatch(this, item, name, expected));
    return index < 0 ? undefined : index;
  },
  has(value, path, ...expected) {
    const name = pathOf(path) ?? "";
    return listOf(value).some((item) => isMatch(this, item, name, expected));
  },
  map(value, path) {
    const name = pathOf(path) ?? "";
    return listOf(value).map((item) => fieldOf(this, item, name));
  },
  sum(value, path) {
    const name = pathOf(path);
    const numbers = listOf(value).map((item) => Number(plain(name === undefined ? item : fieldOf(this, item, name))));
    return numbers.reduce((sum, number) => sum + (Number.isFinite(number) ? number : 0), 0);
  },
  size(value) {
    if (value instanceof SafeHtml) return value.text.length;
    if (value instanceof BareDrop) return value.liquidMethodMissing("size", this.context) ?? 0;
    const counted: unknown = toValue(value);
    return typeof counted === "string" || Array.isArray(counted) ? counted.length : 0;
  },
};

/** Without an expected value: any that is not false or nil. */
function isMatch(call: FilterCall, item: unknown, path: string, expected: readonly unknown[]): boolean {
  const field = fieldOf(call, item, path);
  return expected.length === 0 ? isTruthy(field, call.context) : plain(field) === plain(expected[0]);
}

function listOf(value: unknown): readonly unknown[] {
  if (value instanceof LookUp) return [...value];
  const list = plain(value);
  if (Array.isArray(list)) return list;
  return list === undefined || list === null || list === "" ? [] : [list];
}

/** undefined where no field is named. @throws Error where the name is no name */
function pathOf(path: unknown): string | undefined {
  if (path === undefined || plain(path) === null) return undefined;
  const text = Array.isArray(path) ? "" : textOf(path);
  if (text.length > maxPath) throw new Error(`a field's name of more than ${maxPath} characters`);
  return text === "" ? undefined : text;
}
