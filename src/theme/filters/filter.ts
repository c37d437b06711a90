import { type Context, Drop, type Liquid, toValue, toValueSync } from "liquidjs";
import { checkSize, LimitError, printed, weightOf } from "../liquid/budget.ts";
import { WholeFloat } from "../liquid/whole-float.ts";
import { BareDrop, TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";

/** What LiquidJS hands a filter as `this`. */
export interface FilterCall {
  readonly context: Context;
  readonly liquid: Liquid;
  /** The call as it was written. */
  readonly token: { readonly file?: string | undefined; getPosition(): number[] };
}

export type Filter = (this: FilterCall, value: unknown, ...args: unknown[]) => unknown;

/** The filters of one file, by the names they have in templates. */
export type FilterFamily = Readonly<Record<string, Filter>>;

/** A filter that counts what it reads and makes, and refuses texts and lists that are too long. */
export function guarded(name: string, filter: Filter): Filter {
  return function (this: FilterCall, value: unknown, ...args: unknown[]): unknown {
    try {
      checkSize(value);
      for (const arg of args) checkSize(arg);
    } catch (error) {
      throw new LimitError(`${name} was given ${error instanceof Error ? error.message : error}`);
    }
    const { renderLimit } = this.context;
    renderLimit.use(args.reduce<number>((sum, arg) => sum + weightOf(arg), weightOf(value)));
    const made = filter.call(this, value, ...args);
    renderLimit.use(weightOf(made));
    return made;
  };
}

export interface Arguments {
  readonly positional: readonly unknown[];
  readonly named: ReadonlyMap<string, unknown>;
}

/** Tells `filter: 1, size: 2` apart; LiquidJS hands over named ones as pairs. */
export function splitArguments(args: readonly unknown[]): Arguments {
  const positional: unknown[] = [];
  const named = new Map<string, unknown>();
  for (const arg of args) {
    if (Array.isArray(arg) && arg.length === 2 && typeof arg[0] === "string") named.set(arg[0], plain(arg[1]));
    else positional.push(plain(arg));
  }
  return { positional, named };
}

/** LiquidJS's own words (`nil`, `empty`) as plain values; our objects stay. */
export function plain(value: unknown): unknown {
  return value instanceof Drop && !(value instanceof BareDrop) ? toValue(value) : value;
}

/** What would be printed. */
export function textOf(value: unknown): string {
  return printed(value);
}

/** Tells of an argument that a filter can do nothing with; the filter prints nothing, and the rest is shown. */
export function runtimeFault(call: FilterCall, message: string): undefined {
  const [line] = call.token.getPosition();
  stateOf(call.context).report(new Error(`${message}, file:${call.token.file}, line:${line}`));
  return undefined;
}

/** A finite number, or undefined: texts that are numbers count. */
export function numberOf(value: unknown): number | undefined {
  if (value instanceof WholeFloat) return value.number;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : toValue(value);
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A field of one of our objects; undefined of anything else. */
export function objectField(value: unknown, name: string): unknown {
  return value instanceof TemplateObject ? value.liquidMethodMissing(name) : undefined;
}

/** A field of one of our objects, as it would be printed. */
export function fieldText(value: unknown, name: string): string {
  return textOf(objectField(value, name));
}

/** A field of an object or of what lies in it: "variant.price". */
export function fieldOf(call: FilterCall, value: unknown, path: string): unknown {
  return toValueSync(call.context._getFromScope(value, path, false) as Generator<unknown, unknown, unknown>);
}
