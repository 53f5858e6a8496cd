import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
  isObjectType,
} from "graphql";
import { countedKey, keyOf, singularOf } from "../../conventions/words.ts";
import { isObject } from "../../orm/mirage.ts";
import type { Orm } from "../../orm/orm.ts";
import { connectionShape, isList, possibleTypes } from "../../schema/type_shapes.ts";
import { candidatesOf, createListPlan, toPagedList } from "../list.ts";
import type { Resolve, ResolverCall } from "../resolver_call.ts";
import { readProperty, thenMap } from "../source.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Resolves a number that counts records: `postsCount` of a type with `posts`, or at the root of a
 * schema with the type `Post`. Arguments filter as those of the list do. `undefined` if the field
 * doesn't count anything.
 */
export function createCountResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve | undefined {
  if (getNamedType(field.type).name !== "Int" || isList(field.type)) return undefined;
  const counted = countedList(orm, parentType, field);
  if (counted === undefined) return undefined;
  const own = createListPlan(orm, parentType, counted.field, counted.types);
  const plan = { ...own, missing: undefined };
  return (call) =>
    thenMap(readOwn(call, field.name) ?? plan.read(call), (held) => {
      if (typeof held === "number") return held;
      const candidates = candidatesOf(orm, plan, call, held);
      return candidates.kind === "other" ? 0 : toPagedList(candidates, plan.identify).length;
    }, call);
}

/** The number itself, if the source has one. */
function readOwn(call: ResolverCall, name: string): unknown {
  const own = isObject(call.source) ? readProperty(call.source, name, call) : undefined;
  return typeof own === "number" ? own : undefined;
}

/** What is counted: a list of the same type, or all records of a type. */
interface Counted {
  readonly field: Field;
  readonly types: readonly GraphQLObjectType[];
}

function countedList(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Counted | undefined {
  const subject = countedKey(field.name);
  if (subject === undefined) return undefined;
  const list = Object.values(parentType.getFields())
    .find((one) => keyOf(one.name) === subject && isMany(one));
  const ofList = list && nodeTypeOf(list);
  const named = Object.values(orm.graphQLSchema.getTypeMap()).filter(isObjectType)
    .find(({ name }) => keyOf(name) === singularOf(subject) && orm.models.ofType(name));
  const isRoot = parentType === orm.graphQLSchema.getQueryType();
  const type = ofList ?? (isRoot ? named : undefined);
  if (!isCompositeType(type)) return undefined;
  // the arguments are those of the count, and the records those of the list
  const counting: Field = Object.create(field, {
    name: { value: list?.name ?? field.name },
    type: { value: list?.type ?? field.type },
  });
  return { field: counting, types: possibleTypes(orm.graphQLSchema, type) };
}

function isMany({ type }: Field): boolean {
  return isList(type) || connectionShape(getNamedType(type)) !== undefined;
}

function nodeTypeOf({ type }: Field) {
  const named = getNamedType(type);
  return connectionShape(named)?.nodeType ?? named;
}
