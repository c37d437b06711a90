import { type FilterFamily, numberOf } from "./filter.ts";

export const mathFilters: FilterFamily = {
  /** Two whole numbers divide to a whole number, rounded down, as in Ruby; `2.0` is not one. */
  divided_by(value, divisor) {
    const left = numberOf(value) ?? 0;
    const right = numberOf(divisor) ?? 0;
    const isWhole = Number.isInteger(left) && Number.isInteger(right) && !isWrittenAsFraction(this.token.args[0]);
    if (!isWhole) return left / right;
    if (right === 0) throw new Error("divided by 0");
    return Math.floor(left / right);
  },
};

/** `2.0` in a template is the same number as `2`, but not the same words. */
function isWrittenAsFraction(token: unknown): boolean {
  const text = (token as { readonly getText?: () => string } | undefined)?.getText?.();
  return text !== undefined && /^-?\d+\.\d+$/.test(text);
}
