import {
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
} from "graphql";
import { checkComplete } from "./check_complete.ts";
import { fault, type Found, isMap, unknownName } from "./found.ts";
import { leafFault } from "./leaf_fault.ts";

/**
 * Checks a value of the seed file against its field's type, also inside of embedded objects.
 *
 * @throws {ServeError} Where it doesn't fit; the message has the inner place, such as
 * `people[0].address.city`.
 */
export function checkValue(type: GraphQLOutputType, { value, place }: Found): void {
  const named = getNullableType(type);
  if (isListType(named) && Array.isArray(value)) {
    value.forEach((one, at) => checkValue(named.ofType, { value: one, place: `${place}[${at}]` }));
    return;
  }
  if (isObjectType(named) && value !== null) return checkObject(named, { value, place });
  const state = leafFault(type, value);
  if (state !== undefined) throw fault(place, state);
}

/** Keys that end as foreign keys do may lead to records, and are left to who reads them. */
function checkObject(type: GraphQLObjectType, { value, place }: Found): void {
  if (!isMap(value)) throw fault(place, `it is ${type}, an object`);
  const fields = type.getFields();
  for (const [name, one] of Object.entries(value)) {
    const field = fields[name];
    if (field !== undefined) checkValue(field.type, { value: one, place: `${place}.${name}` });
    else if (name !== "__typename" && !/Ids?$/.test(name)) {
      const at = { value: name, place: `${place}.${name}` };
      throw unknownName(at, `${type.name} has no field`, Object.keys(fields));
    }
  }
  checkComplete(type, { getters: new Set() }, { value, place });
}
