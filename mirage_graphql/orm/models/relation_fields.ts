import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
} from "graphql";
import { connectionShape, isList, isNestedList, possibleTypes } from "../../schema/type_shapes.ts";
import { pickedList } from "../../picked_list.ts";
import type { MirageAssociation } from "../mirage.ts";
import type { RelationDraft } from "../relation_draft.ts";

/** A type and the dasherized name of its model. */
export interface TypedModel {
  readonly type: GraphQLObjectType;
  readonly modelName: string;
}

/** The dasherized name of a type's model; `undefined` for a type without one. */
export type ModelNameOf = (typeName: string) => string | undefined;

/** The relations that a model gets from the fields of its type that lead to models. */
export function draftRelations(
  graphQLSchema: GraphQLSchema,
  { type, modelName }: TypedModel,
  modelNameOf: ModelNameOf,
): RelationDraft[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const target = targetOf(graphQLSchema, field, modelNameOf);
    if (target === undefined || pickedList(type, field) !== undefined) return [];
    return [{
      owner: modelName,
      ownerType: type.name,
      name: field.name,
      ...target,
      isHosts: false,
    }];
  });
}

/** The relations of a model that the host has defined. */
export function hostRelations(
  graphQLSchema: GraphQLSchema,
  { type, modelName }: TypedModel,
  modelNameOf: ModelNameOf,
  associations: readonly MirageAssociation[],
): RelationDraft[] {
  return associations.map((association) => {
    const field = type.getFields()[association.name];
    const fieldTarget = field && targetOf(graphQLSchema, field, modelNameOf);
    const isPolymorphic = association.isPolymorphic === true;
    return {
      owner: modelName,
      ownerType: type.name,
      name: association.name,
      isList: association.type === "hasMany",
      isPolymorphic,
      targets: isPolymorphic ? fieldTarget?.targets ?? [] : [association.modelName],
      isHosts: true,
      saidInverse: association.opts.inverse,
    };
  });
}

function targetOf(
  graphQLSchema: GraphQLSchema,
  { type }: GraphQLField<unknown, unknown>,
  modelNameOf: ModelNameOf,
): Pick<RelationDraft, "isList" | "isPolymorphic" | "targets" | "saidInverse"> | undefined {
  if (isNestedList(type)) return undefined;
  const named = getNamedType(type);
  const connection = connectionShape(named);
  const nodeType = connection?.nodeType ?? named;
  if (!isCompositeType(nodeType)) return undefined;
  const targets = possibleTypes(graphQLSchema, nodeType)
    .map(({ name }) => modelNameOf(name)).filter((name) => name !== undefined);
  if (targets.length === 0) return undefined;
  return {
    isList: connection !== undefined || isList(type),
    isPolymorphic: isAbstractType(nodeType),
    targets,
    saidInverse: isNode(nodeType) ? null : undefined,
  };
}

/** The interface of the Global Object Identification specification doesn't tell where fields lead. */
function isNode(type: GraphQLNamedType): boolean {
  return isInterfaceType(type) && type.name === "Node";
}
