import type { Context } from "@vitrine/liquid";
import { Drop, type Filter, Float, NamedArguments, toNumber, toText } from "@vitrine/liquid";
import { TemplateObject } from "../objects/template-object.ts";

export type { Filter };

/** Liquid filters by name. */
export type FilterFamily = Readonly<Record<string, Filter>>;

export interface FilterArguments {
  readonly positionalArgs: readonly unknown[];
  readonly namedArgs: ReadonlyMap<string, unknown>;
}

/** Splits `filter: 1, size: 2` into positional and named arguments. Liquid's nil becomes undefined. */
export function splitArguments(args: readonly unknown[]): FilterArguments {
  const [firstArg] = args;
  if (args.length === 0) return emptyArguments;
  if (args.length === 1 && firstArg instanceof NamedArguments)
    return { positionalArgs: emptyArguments.positionalArgs, namedArgs: firstArg };
  const positionalArgs: unknown[] = [];
  const namedArgs = new Map<string, unknown>();
  for (const arg of args) {
    if (arg instanceof NamedArguments) for (const [name, value] of arg) namedArgs.set(name, value);
    else positionalArgs.push(arg ?? undefined);
  }
  return { positionalArgs, namedArgs };
}

const emptyArguments: FilterArguments = { positionalArgs: [], namedArgs: new Map() };

/** Returns the string that a template would print for a value. */
export function textOf(value: unknown): string {
  return toText(value);
}

/** Reports an invalid argument. The filter then prints nothing, and the rest of the page renders. */
export function reportError(call: Context, message: string): undefined {
  call.warn(message);
  return undefined;
}

/** Returns a finite number, or undefined. Numeric strings are converted. */
export function readNumber(value: unknown): number | undefined {
  if (value instanceof Float) return value.number;
  const plainValue = value instanceof Drop ? value.toValue() : value;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : plainValue;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Converts a value to a number as Liquid's math filters do. Values that are not numeric become 0. */
export function toFilterNumber(value: unknown): number {
  return Number(toNumber(value));
}

/** Returns a field of a template object, or undefined for other values. */
export function getObjectField(value: unknown, name: string): unknown {
  return value instanceof TemplateObject ? value.field(name) : undefined;
}

/** Returns a field of a template object as a string, as a template would print it. */
export function readFieldText(value: unknown, name: string): string {
  return textOf(getObjectField(value, name));
}
