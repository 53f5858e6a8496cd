import { getNamedType, type GraphQLField, isLeafType } from "graphql";
import { type AggregateFunction, aggregateFunction } from "./aggregate_functions.ts";
import { keyOf } from "../shared/names.ts";
import type { ShapeOf } from "../schema/shapes.ts";
import { isObject, valueOf } from "../shared/values.ts";
import type { PageFacts } from "./connection.ts";
import type { ResolverCall } from "../arguments/call.ts";

type Field = GraphQLField<unknown, unknown>;

/** Key of the function whose values are in a type such as `{ price rank }`. */
const FUNCTION: unique symbol = Symbol("aggregate function");

/** Computes a value of all records that a page was cut from. */
export type ReadAggregate = (facts: PageFacts, call: ResolverCall) => unknown;

/**
 * Plans a field that is a function of all records, in the words of any API: `sum { price }`,
 * `priceMax`, `max(field: price)`, `count(columns: [price], distinct: true)`. `undefined` if it is
 * not one, or only counts the records.
 */
export function planAggregate(shapeOf: ShapeOf, field: Field): ReadAggregate | undefined {
  const { name, type } = field;
  const ofName = aggregateFunction(keyOf(name));
  if (!isLeafType(getNamedType(type))) {
    const { kind } = shapeOf(getNamedType(type));
    return kind === "aggregate function" ? () => ({ [FUNCTION]: ofName }) : undefined;
  }
  const column = field.args.find((argument) =>
    /^(field|fields|column|columns)$/.test(argument.name)
  );
  if (ofName !== undefined && column !== undefined) return ofColumns(ofName, column.name);
  const [, attribute, suffix = ""] = /^(.*[^_])_?(Min|Max|Sum|Avg)$/.exec(name) ?? [];
  const ofSuffix = aggregateFunction(suffix.toLowerCase());
  return attribute === undefined || ofSuffix === undefined
    ? undefined
    : ({ list }) => ofSuffix(valuesOf(list, attribute));
}

/** Plans the sum of an attribute of all records: `duration` of `{ count duration scenes }`. */
export function planSum(name: string): ReadAggregate {
  return ({ list }) => aggregateFunction("sum")?.(valuesOf(list, name)) ?? 0;
}

/** Plans an attribute in the type of a function: `price` of `sum { price }`. */
export function planFunctionValue({ name }: Field): ReadAggregate {
  return ({ list, total }, { source }) => {
    const compute: unknown = isObject(source) ? Reflect.get(source, FUNCTION) : undefined;
    if (!isAggregateFunction(compute)) return null;
    return name === "_all" && compute === aggregateFunction("count")
      ? total
      : compute(valuesOf(list, name));
  };
}

function isAggregateFunction(value: unknown): value is AggregateFunction {
  return typeof value === "function";
}

/** A function of the attributes that an argument names; of several, the records with all of them. */
function ofColumns(compute: AggregateFunction, argument: string): ReadAggregate {
  return ({ list, total }, { args }) => {
    const given = args[argument];
    const names = given === null || given === undefined ? [] : [given].flat().map(String);
    const [only, ...others] = names;
    if (only === undefined) return compute === aggregateFunction("count") ? total : null;
    const isDistinct = args.distinct === true && compute === aggregateFunction("count");
    const values = others.length === 0 ? valuesOf(list, only) : rowsOf(list, names);
    return (isDistinct ? aggregateFunction("distinctcount") ?? compute : compute)(values);
  };
}

function rowsOf(list: PageFacts["list"], names: readonly string[]): readonly unknown[] {
  return list.slice(0, list.length).filter(isObject)
    .map((node) => names.map((name) => valueOf(node, name)))
    .filter((row) => row.every((value) => value !== null && value !== undefined));
}

function valuesOf(list: PageFacts["list"], name: string): readonly unknown[] {
  return rowsOf(list, [name]).flat();
}
