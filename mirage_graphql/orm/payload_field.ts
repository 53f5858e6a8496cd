import { getNamedType, type GraphQLObjectType, isObjectType } from "graphql";
import { isList } from "../schema/type_shapes.ts";

/** The field of a payload type, such as `CreatePersonPayload`, that holds the record, and its type. */
export interface PayloadField {
  readonly fieldName: string;
  readonly type: GraphQLObjectType;
}

/** The one field of a type that leads to a model; `undefined` where none or several do, or a list. */
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
