import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isAbstractType,
  isCompositeType,
} from "graphql";
import { connectionShape, isList, possibleTypes } from "../schema/type_shapes.ts";
import type { Orm } from "../orm/orm.ts";
import type { Resolve } from "./resolver_call.ts";

/** How a field is resolved automatically. */
export interface PlannableField {
  /** Its resolver; `undefined` where it is a property of its parent. */
  readonly resolve: Resolve | undefined;
}

/**
 * The parts of a schema that can be resolved again and again without code of the host's, from no
 * more than a parent and arguments.
 */
export interface PlannableFields {
  readonly fields: ReadonlyMap<GraphQLField<unknown, unknown>, PlannableField>;
  /** Object types without a check of the host's, and abstract ones whose values tell their type. */
  readonly types: ReadonlySet<GraphQLNamedType>;
}

/**
 * Tells whether a field that is resolved automatically is such a part. What only turns out when it is
 * read, as that a value is no plain data, ends the run of a plan then.
 */
export function isPlannable(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): boolean {
  return !orm.mutationTypes.has(parentType) && !readsGetter(orm, parentType, field) &&
    !dependsOnSelection(orm, parentType, field);
}

/** A getter of a model's class may be the field itself, or what an argument filters by. */
function readsGetter(
  { graphQLSchema, models }: Orm,
  parentType: GraphQLObjectType,
  { name, type, args }: GraphQLField<unknown, unknown>,
): boolean {
  const isGetter = (typeName: string, getter: string) =>
    models.ofType(typeName)?.getters.has(getter) ?? false;
  const named = getNamedType(type);
  const target = connectionShape(named)?.nodeType ?? named;
  const targets = isCompositeType(target) ? possibleTypes(graphQLSchema, target) : [];
  return isGetter(parentType.name, name) ||
    targets.some((one) => args.some((argument) => isGetter(one.name, argument.name)));
}

/** Of several types the fragments tell which one a single field at the root looks at first. */
function dependsOnSelection(
  { graphQLSchema }: Orm,
  parentType: GraphQLObjectType,
  { type }: GraphQLField<unknown, unknown>,
): boolean {
  return parentType === graphQLSchema.getQueryType() && isAbstractType(getNamedType(type)) &&
    !isList(type);
}
