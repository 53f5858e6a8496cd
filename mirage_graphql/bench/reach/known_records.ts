import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
} from "graphql";
import type { Orm } from "../../orm/orm.ts";

/** The records of a mock, as random queries use them. */
export interface KnownRecords {
  /** Ids of records of the types, or of all if the types have none. */
  ids(typeNames: readonly string[]): readonly string[];
  /** The values of an attribute in records of the types. */
  values(typeNames: readonly string[], name: string): readonly unknown[];
}

/** Reads the records of a mock database. */
export function knownRecords({ models, store }: Orm): KnownRecords {
  const rows = new Map(models.models.map((model) => [
    model.typeName,
    store.of(model).select().map((record): Record<string, unknown> => ({ ...record })),
  ]));
  const all = [...rows.values()].flat().map(({ id }) => String(id));
  return {
    ids(typeNames) {
      const ids = typeNames.flatMap((name) => rows.get(name) ?? []).map(({ id }) => String(id));
      return ids.length > 0 ? ids : all.slice(0, 1);
    },
    values: (typeNames, name) =>
      typeNames.flatMap((typeName) => rows.get(typeName) ?? []).map((row) => row[name])
        .filter((value) => value !== undefined && value !== null),
  };
}

/** The types whose records a field reads: its own, its members', or those in its connection. */
export function targetTypes(
  schema: GraphQLSchema,
  { type }: GraphQLField<unknown, unknown>,
): readonly string[] {
  const named = getNamedType(type);
  return membersOf(schema, itemOf(named)).map(({ name }) => name);
}

function itemOf(type: GraphQLNamedType): GraphQLNamedType {
  if (!isObjectType(type)) return type;
  const { nodes, edges, items } = type.getFields();
  const list = nodes ?? items;
  if (list !== undefined) return getNamedType(list.type);
  const edge = edges && getNamedType(edges.type);
  const node = isObjectType(edge) ? edge.getFields()["node"] : undefined;
  return node === undefined ? type : getNamedType(node.type);
}

function membersOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLNamedType[] {
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
}
