import { getNamedType, isInputObjectType } from "graphql";
import type { InputValue } from "../../conventions/paging.ts";

/** The fields of an input object; none for other types. */
export function fieldsOf({ type }: InputValue): readonly InputValue[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}
