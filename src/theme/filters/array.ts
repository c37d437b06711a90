import { isTruthy, toValue } from "liquidjs";
import { BareDrop, LookUp } from "../objects/template-object.ts";
import { SafeHtml } from "../safe-html.ts";
import { type Filter, type FilterCall, type FilterFamily, fieldOf, plain, textOf } from "./filter.ts";

const where: Filter = function (value, path, ...expected) {
  return listOf(value).filter((item) => isMatch(this, item, path, expected));
};

export const arrayFilters: FilterFamily = {
  where,
  reject(value, path, ...expected) {
    return listOf(value).filter((item) => !isMatch(this, item, path, expected));
  },
  find(value, path, ...expected) {
    return listOf(value).find((item) => isMatch(this, item, path, expected));
  },
  find_index(value, path, ...expected) {
    const index = listOf(value).findIndex((item) => isMatch(this, item, path, expected));
    return index < 0 ? undefined : index;
  },
  has(value, path, ...expected) {
    return listOf(value).some((item) => isMatch(this, item, path, expected));
  },
  map(value, path) {
    const name = textOf(path);
    return listOf(value).map((item) => fieldOf(this, item, name));
  },
  sum(value, path) {
    const numbers = listOf(value).map((item) => Number(path === undefined ? item : fieldOf(this, item, textOf(path))));
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
function isMatch(call: FilterCall, item: unknown, path: unknown, expected: readonly unknown[]): boolean {
  const field = fieldOf(call, item, textOf(path));
  return expected.length === 0 ? isTruthy(field, call.context) : plain(field) === plain(expected[0]);
}

function listOf(value: unknown): readonly unknown[] {
  if (value instanceof LookUp) return [...value];
  const list = plain(value);
  if (Array.isArray(list)) return list;
  return list === undefined || list === null || list === "" ? [] : [list];
}
