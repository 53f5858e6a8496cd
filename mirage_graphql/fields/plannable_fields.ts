import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  specifiedScalarTypes,
} from "graphql";
import type { Resolve } from "../arguments/call.ts";
import type { Orm } from "../orm/orm.ts";
import type { Related } from "../orm/records/related.ts";
import { isList, possibleTypes } from "../schema/types.ts";

/** How a field is resolved automatically. */
export interface PlannableField {
  /** Its resolver; `undefined` if it is a property of its source. */
  readonly resolve: Resolve | undefined;
  /** How to read it from the database's own records, if it is a relation of one model. */
  readonly related?: Related | undefined;
}

/**
 * The parts of a schema that can be resolved repeatedly, without user-defined code, from a source
 * and arguments alone.
 */
export interface PlannableFields {
  readonly fields: ReadonlyMap<GraphQLField<unknown, unknown>, PlannableField>;
  /**
   * Object types without a user-defined check, and abstract types whose values contain their type.
   */
  readonly types: ReadonlySet<GraphQLNamedType>;
}

/**
 * Whether a field that is resolved automatically is such a part. If it turns out only when a value
 * is read that it can't be planned, for example because it is not plain data, the execution of the
 * plan ends then.
 */
export function isPlannable(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): boolean {
  return !orm.mutationTypes.has(parentType) && !readsGetter(orm, parentType, field) &&
    !dependsOnSelection(orm, parentType, field);
}

/** The field itself may be a getter of a model's class, or an argument may filter by one. */
function readsGetter(
  { graphQLSchema, shapeOf, models, conventions }: Orm,
  parentType: GraphQLObjectType,
  { name, type, args }: GraphQLField<unknown, unknown>,
): boolean {
  if (args.length > 0 && (conventions.filtering || conventions.ordering)) {
    // an input object or a key may name any attribute, also behind relations
    if (models.models.some(({ getters }) => getters.size > 0)) return true;
  }
  const isGetter = (typeName: string, getter: string) =>
    models.ofType(typeName)?.getters.has(getter) ?? false;
  const named = getNamedType(type);
  const { nodeType: target = named } = shapeOf(named);
  const targets = isCompositeType(target) ? possibleTypes(graphQLSchema, target) : [];
  return isGetter(parentType.name, name) ||
    targets.some((one) => args.some((argument) => isGetter(one.name, argument.name)));
}

/**
 * The fragments decide which of several types a single field at the root looks up first, and the
 * fields which list a shared page is about.
 */
function dependsOnSelection(
  { graphQLSchema, shapeOf }: Orm,
  parentType: GraphQLObjectType,
  { type }: GraphQLField<unknown, unknown>,
): boolean {
  const named = getNamedType(type);
  return parentType === graphQLSchema.getQueryType() && !isList(type) &&
    (isAbstractType(named) || shapeOf(named).kind === "shared page");
}

/**
 * Whether graphql-js reads values of an input type without user-defined code, which user-defined
 * scalars have, even one named `ID`, and so do input objects that contain such a scalar.
 */
export function isPlannableInput(type: GraphQLNamedType | undefined): boolean {
  if (!isInputObjectType(type)) return isPlannableLeaf(type);
  const known = plannableInputs.get(type) ?? [...inputTypes(type)].every(isPlannableLeaf);
  plannableInputs.set(type, known);
  return known;
}

const plannableInputs = new WeakMap<GraphQLInputObjectType, boolean>();

function isPlannableLeaf(type: GraphQLNamedType | undefined): boolean {
  return isEnumType(type) || specifiedScalarTypes.some((scalar) => scalar === type);
}

/** The leaf types in an input object and in those that it contains. */
function inputTypes(type: GraphQLInputObjectType): ReadonlySet<GraphQLNamedType> {
  const objects = new Set([type]);
  const leaves = new Set<GraphQLNamedType>();
  for (const object of objects) {
    for (const field of Object.values(object.getFields())) {
      const named = getNamedType(field.type);
      if (isInputObjectType(named)) objects.add(named);
      else leaves.add(named);
    }
  }
  return leaves;
}
