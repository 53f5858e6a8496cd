import { copyValue, isGiven, isObject } from "../shared/values.ts";
import { isOneOrMany, keyOf, pluralsOf } from "../shared/names.ts";
import type { GraphQLField, GraphQLObjectType } from "graphql";
import { aggregateFunction } from "./aggregate_functions.ts";
import type { Orm } from "../orm/orm.ts";
import { createPagerOf } from "./connection.ts";
import type { Resolve } from "../arguments/call.ts";
import { createFieldReader, thenMap } from "./source.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Resolves a connection of scalars: a page of the values in an attribute, or at the root of those
 * that all records have in the attribute that its name says: `productTags` of `Product.tags`.
 */
export function createScalarConnectionResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve {
  const read = createFieldReader(orm, orm.models.ofType(parentType.name), field.name);
  const toPage = createPagerOf(orm, (value) => ({ typeName: "", id: String(value) }));
  const readAll = parentType === orm.graphQLSchema.getQueryType()
    ? createReadAll(orm, field)
    : undefined;
  return (call) =>
    thenMap(read(call), (own) => {
      const values = valuesOf(own) ?? (own === undefined ? readAll?.() : undefined);
      return values === undefined ? own : toPage(values, call.args);
    }, call);
}

/** A list of values, or those in the edges of a connection. */
function valuesOf(own: unknown): readonly unknown[] | undefined {
  if (Array.isArray(own)) return own;
  if (!isObject(own)) return undefined;
  if (!Array.isArray(own.edges)) return Array.isArray(own.nodes) ? own.nodes : undefined;
  return own.edges.map((edge: unknown) => isObject(edge) ? edge.node : null);
}

function createReadAll(
  { models, graphQLSchema, mirageSchema, store }: Orm,
  field: Field,
): () => unknown[] {
  const expected = keyOf(field.name);
  const plural = pluralsOf(mirageSchema);
  const isExpected = (key: string) =>
    isOneOrMany(expected, key, plural) || isOneOrMany(key, expected, plural);
  const found = models.models.flatMap((model) => {
    const type = graphQLSchema.getType(model.typeName);
    const names = type !== undefined && "getFields" in type ? Object.keys(type.getFields()) : [];
    const prefix = keyOf(model.typeName);
    return names.filter((name) =>
      [`${prefix}${keyOf(name)}`, keyOf(name)].some((key) =>
        key.startsWith(prefix) && isExpected(key)
      )
    ).map((name) => ({ model, name }));
  });
  return () => {
    const values = found.flatMap(({ model, name }) =>
      store.of(model).select().flatMap((record) => valuesOf(record[name]) ?? [record[name]])
    );
    const distinct = aggregateFunction("distinct")?.(values.filter(isGiven));
    return Array.isArray(distinct) ? distinct.map(copyValue) : [];
  };
}
