import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isRequiredArgument,
} from "graphql";
import { lookupList, viewedList } from "../../schema/list_fields.ts";
import type { ShapeOf } from "../../schema/shapes.ts";
import { isList, isNestedList, possibleTypes } from "../../schema/types.ts";
import { fieldNameOf, type MirageAssociation } from "../mirage/mirage_schema.ts";
import { nameAssociations } from "./association_names.ts";

/** A relation of a model before it is registered, or one of a user-defined model. */
export interface RelationDraft {
  /** Dasherized name of the model that has it. */
  readonly owner: string;
  /** Name of the GraphQL type that has it. */
  readonly ownerType: string;
  /** Name of the field. */
  readonly name: string;
  /** Mirage's name of the association: a different one if Mirage itself uses the field's name. */
  readonly association: string;
  /** Whether it leads to many records. */
  readonly isList: boolean;
  /** Whether its records may be of several models. */
  readonly isPolymorphic: boolean;
  /**
   * Whether arguments choose the record that it returns, as `image(index: Int!)`, so that it has no
   * inverse.
   *
   * @default {false}
   */
  readonly isChosen?: boolean;
  /** Dasherized names of the models it leads to; a single one unless polymorphic. */
  readonly targets: readonly string[];
  /** Whether a user-defined model declares it; such a relation is not changed. */
  readonly isUserDefined: boolean;
  /** The declared inverse: its name, `null` for none, `undefined` if nothing is declared. */
  readonly declaredInverse: string | null | undefined;
}

/** The relation as the GraphQL schema writes it, such as `Post.author`. */
export function labelOf(relation: RelationDraft): string {
  return `${relation.ownerType}.${relation.name}`;
}

/** A type and the dasherized name of its model. */
export interface TypedModel {
  readonly type: GraphQLObjectType;
  readonly modelName: string;
}

/** The dasherized name of a type's model; `undefined` for a type without one. */
export type ModelNameOf = (typeName: string) => string | undefined;

/** A schema, and what its types are. */
export interface ShapedSchema {
  readonly graphQLSchema: GraphQLSchema;
  readonly shapeOf: ShapeOf;
}

/** The relations that a model gets from the fields of its type that lead to models. */
export function draftRelations(
  shaped: ShapedSchema,
  { type, modelName }: TypedModel,
  modelNameOf: ModelNameOf,
): RelationDraft[] {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const target = targetOf(shaped, field, modelNameOf);
    if (target === undefined || lookupList(shaped.shapeOf, type, field) !== undefined) return [];
    if (viewedList(shaped.shapeOf, type, field) !== undefined) return [];
    return [{ name: field.name, ...target }];
  });
  const associations = nameAssociations(fields);
  return fields.map((field) => ({
    ...field,
    owner: modelName,
    ownerType: type.name,
    association: associations.get(field.name) ?? field.name,
    isUserDefined: false,
  }));
}

/** The relations of a user-defined model. */
export function userRelations(
  shaped: ShapedSchema,
  { type, modelName }: TypedModel,
  modelNameOf: ModelNameOf,
  associations: readonly MirageAssociation[],
): RelationDraft[] {
  return associations.map((association) => {
    const name = fieldNameOf(association);
    const field = type.getFields()[name];
    const fieldTarget = field && targetOf(shaped, field, modelNameOf);
    const isPolymorphic = association.isPolymorphic === true;
    return {
      owner: modelName,
      ownerType: type.name,
      name,
      association: association.name,
      isList: association.type === "hasMany",
      isPolymorphic,
      targets: isPolymorphic ? fieldTarget?.targets ?? [] : [association.modelName],
      isUserDefined: true,
      declaredInverse: association.opts.inverse,
    };
  });
}

function targetOf(
  { graphQLSchema, shapeOf }: ShapedSchema,
  { type, args }: GraphQLField<unknown, unknown>,
  modelNameOf: ModelNameOf,
):
  | Pick<RelationDraft, "isList" | "isPolymorphic" | "isChosen" | "targets" | "declaredInverse">
  | undefined {
  if (isNestedList(type)) return undefined;
  const named = getNamedType(type);
  const { kind, nodeType = named } = shapeOf(named);
  if (!isCompositeType(nodeType)) return undefined;
  const targets = possibleTypes(graphQLSchema, nodeType)
    .map(({ name }) => modelNameOf(name)).filter((name) => name !== undefined);
  if (targets.length === 0) return undefined;
  const leadsToMany = kind === "connection" || isList(type);
  return {
    isList: leadsToMany,
    isPolymorphic: isAbstractType(nodeType),
    isChosen: !leadsToMany && args.some(isRequiredArgument),
    targets,
    declaredInverse: isNode(nodeType) ? null : undefined,
  };
}

/**
 * The interface of the Global Object Identification specification doesn't say where a field leads.
 */
function isNode(type: GraphQLNamedType): boolean {
  return isInterfaceType(type) && type.name === "Node";
}
