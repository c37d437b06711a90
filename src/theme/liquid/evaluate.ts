import {
  Context,
  type Emitter,
  Expression,
  evalToken,
  Filter,
  Hash,
  type Liquid,
  LiquidError,
  Output,
  RenderError,
  type Template,
  type Token,
  TypeGuards,
  toValue,
  toValueSync,
  Value,
} from "liquidjs";
import { runtimeFault } from "../filters/filter.ts";
import { stateOf } from "../render-state.ts";
import { isLimitError } from "./budget.ts";

/** Lets LiquidJS work values out at once. It takes a step, a generator, for each that might have to be waited for;
 *  nothing of a render has to be, and the steps cost as much as the rest of it. What is given back is no generator
 *  then, which LiquidJS takes as well. */
export function evaluateAtOnce(): void {
  Object.assign(Context.prototype, { _get: readVariable, _getFromScope: readPath });
  Object.assign(Expression.prototype, { evaluate: evaluateExpression });
  Object.assign(Value.prototype, { value: evaluateValue, getFilter });
  Object.assign(Output.prototype, { render: renderOutput });
  Object.assign(Filter.prototype, { render: applyFilter });
  Object.assign(Hash.prototype, { render: evaluateHash });
}

/** Renders templates one after the other, as LiquidJS's own renderer does in steps. */
export function renderAtOnce(liquid: Liquid): void {
  Object.assign(liquid.renderer, { renderTemplates });
}

/** The value of a literal, a variable or a range. */
export function evaluate(token: Token | undefined, context: Context): unknown {
  if (token === undefined) return undefined;
  if ("content" in token) return token.content;
  if (TypeGuards.isPropertyAccessToken(token)) {
    const path = token.props.map((part) => toValue(evaluate(part, context)) as PropertyKey);
    if (token.variable === undefined) return readVariable.call(context, path);
    return readPath.call(context, evaluate(token.variable, context), path);
  }
  return toValueSync(evalToken(token, context) as Generator<unknown, unknown, unknown>);
}

function readVariable(this: Context, path: readonly PropertyKey[]): unknown {
  const [name = ""] = path;
  const { scopes, environments, globals } = this as unknown as Scopes;
  const scope = scopes.findLast((one) => name in one) ?? (name in environments ? environments : globals);
  return readPath.call(this, scope, path);
}

interface Scopes {
  readonly scopes: readonly object[];
  readonly environments: object;
  readonly globals: object;
}

/** @param path "variant.price", or its parts */
function readPath(this: Context, scope: unknown, path: readonly PropertyKey[] | string): unknown {
  let value = scope;
  for (const part of typeof path === "string" ? path.split(".") : path)
    value = this.readProperty(value as Parameters<Context["readProperty"]>[0], part as string);
  return value;
}

/** Operators stand behind what they combine. */
function evaluateExpression(this: Expression, context: Context): unknown {
  const { postfix } = this;
  if (postfix.length === 1) return evaluate(postfix[0], context);
  const values: unknown[] = [];
  for (const token of postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      values.push(evaluate(token, context));
      continue;
    }
    const right = values.pop();
    const left = values.pop();
    values.push(context.opts.operators[token.operator]?.(left, right, context));
  }
  return values[0];
}

function evaluateValue(this: Value, context: Context): unknown {
  let value: unknown = evaluateExpression.call(this.initial, context);
  for (const filter of this.filters) value = applyFilter.call(filter, value, context);
  return value;
}

/** A filter that nobody knows gives its value back, as in Ruby. */
function getFilter(liquid: Liquid, name: string): Liquid["filters"][string] {
  if (Object.hasOwn(liquid.filters, name)) return liquid.filters[name] as Liquid["filters"][string];
  return function (value) {
    runtimeFault(this, `undefined filter: ${name}`);
    return value;
  };
}

function renderOutput(this: Output, context: Context, emitter: Emitter): void {
  emitter.write(toValue(evaluateValue.call(this.value, context)));
}

function applyFilter(this: Filter, value: unknown, context: Context): unknown {
  const { args, handler, token, liquid } = this as unknown as FilterParts;
  const given = args.map((arg) =>
    Array.isArray(arg) ? [arg[0], evaluate(arg[1], context)] : evaluate(arg as Token, context),
  );
  return toValueSync(handler.call({ context, token, liquid }, value, ...given) as Generator);
}

interface FilterParts {
  readonly args: readonly (Token | readonly [name: string, value: Token | undefined])[];
  readonly handler: (this: object, value: unknown, ...args: unknown[]) => unknown;
  readonly token: Token;
  readonly liquid: Liquid;
}

function evaluateHash(this: Hash, context: Context): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, token] of Object.entries(this.hash))
    values[name] = token === undefined ? true : evaluate(token, context);
  return values;
}

/** A node that fails shows nothing, and is told of the first time; errors of limits alone go on to what is around. */
function renderTemplates(templates: readonly Template[], context: Context, emitter: Emitter): string {
  context.renderLimit.use(1);
  for (const template of templates) {
    context.renderLimit.use(1);
    try {
      const html = toValueSync(template.render(context, emitter) as Generator<unknown, unknown, unknown>);
      if (html) emitter.write(html);
    } catch (error) {
      if (isLimitError(error)) throw located(error, template);
      const { failed, report } = stateOf(context);
      if (failed.has(template)) continue;
      failed.add(template);
      report(located(error, template));
    }
    if (context.breakCalled || context.continueCalled) break;
  }
  return (emitter as Emitter & { readonly buffer: string }).buffer;
}

/** An error that says where in the theme it came up. */
function located(error: unknown, template: Template): unknown {
  return LiquidError.is(error) ? error : new RenderError(error as Error, template);
}
