import {
  getNamedType,
  getNullableType,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";

type Field = GraphQLField<unknown, unknown>;

/** The field of an object type of a schema; `undefined` if there is no such field or type. */
export function fieldOf(
  graphQLSchema: GraphQLSchema,
  typeName: string,
  fieldName: string,
): Field | undefined {
  const type = graphQLSchema.getType(typeName);
  return isObjectType(type) ? type.getFields()[fieldName] : undefined;
}

/** The fields of an object type; none for other types. */
export function fieldsOf(type: GraphQLNamedType | null | undefined): readonly Field[] {
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}

/** Whether a type is a list, nullable or not. */
export function isList(type: GraphQLInputType | GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

/** Whether a field returns a list of objects. */
export function isObjectList({ type }: Field): boolean {
  return isList(type) && isCompositeType(getNamedType(type));
}

/** Whether a type is a list of lists. */
export function isNestedList(type: GraphQLOutputType): boolean {
  const list = getNullableType(type);
  return isListType(list) && isListType(getNullableType(list.ofType));
}

/** The object types that a value of a type can have: the type itself, or its members in order. */
export function possibleTypes(
  graphQLSchema: GraphQLSchema,
  type: GraphQLObjectType | GraphQLAbstractType,
): readonly GraphQLObjectType[] {
  return isAbstractType(type) ? graphQLSchema.getPossibleTypes(type) : [type];
}

/**
 * The field of a payload type, such as `CreatePersonPayload`, that returns the record, and its
 * type.
 */
export interface PayloadField {
  readonly fieldName: string;
  readonly type: GraphQLObjectType;
}

/**
 * The only field of a type that leads to a model; `undefined` if none or several do, or if it is a
 * list.
 */
export function payloadField(
  type: GraphQLObjectType,
  hasModel: (type: GraphQLObjectType) => boolean,
): PayloadField | undefined {
  const [field, ...more] = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    return isObjectType(named) && hasModel(named) ? [{ field, named }] : [];
  });
  if (field === undefined || more.length > 0 || isList(field.field.type)) return undefined;
  return { fieldName: field.field.name, type: field.named };
}

/**
 * Whether a type is `ID` or `ID!`; compared by name, because schemas may define their own `ID`
 * scalar.
 */
export function isIdType(type: GraphQLInputType | GraphQLOutputType): boolean {
  return String(getNullableType(type)) === "ID";
}

/** An argument, or a field of an input object. */
export interface InputValue {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** The default of the schema: graphql 17 has it in `default`. */
  readonly defaultValue?: unknown;
  readonly default?: unknown;
}

/** The fields of an input object, or of the objects in a list; none for other types. */
export function inputFieldsOf(type: GraphQLInputType): readonly InputValue[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}
