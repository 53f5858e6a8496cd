import {
  getNamedType,
  getNullableType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import { nearestName } from "../schema/nearest_name.ts";
import { isMap } from "../shared/values.ts";
import { ServeError } from "./serve_error.ts";

/** How strictly values are checked. */
export interface CheckOptions {
  /** Whether embedded objects may lack non-null fields. @default {false} */
  readonly isPartial?: boolean;
}

/**
 * Checks a value of the seed file against its field's type, including embedded objects.
 *
 * @throws {ServeError} If it doesn't fit; the message contains the inner path, such as
 * `people[0].address.city`.
 */
export function checkValue(
  type: GraphQLOutputType,
  { value, path }: Located,
  options: CheckOptions = {},
): void {
  const named = getNullableType(type);
  if (isListType(named) && Array.isArray(value)) {
    value.forEach((one, at) =>
      checkValue(named.ofType, { value: one, path: `${path}[${at}]` }, options)
    );
    return;
  }
  if (isObjectType(named) && value !== null) return checkObject(named, { value, path }, options);
  const state = leafFault(type, value);
  if (state !== undefined) throw fault(path, state);
}

/** Keys that end like foreign keys may lead to records, and are not checked here. */
function checkObject(
  type: GraphQLObjectType,
  { value, path }: Located,
  options: CheckOptions,
): void {
  if (!isMap(value)) throw fault(path, `it is ${type}, an object`);
  const fields = type.getFields();
  for (const [name, one] of Object.entries(value)) {
    const field = fields[name];
    if (field !== undefined) {
      checkValue(field.type, { value: one, path: `${path}.${name}` }, options);
    } else if (name !== "__typename" && !/Ids?$/.test(name)) {
      const at = { value: name, path: `${path}.${name}` };
      throw unknownName(at, `${type.name} has no field`, Object.keys(fields));
    }
  }
  if (options.isPartial === true) return;
  checkComplete(type, { getters: new Set(), key: undefined }, { value, path });
}

/**
 * Requires non-null fields, except ids, which are assigned, those with resolvers, and relations,
 * which another record may set.
 */
export function checkComplete(
  type: GraphQLObjectType,
  { getters, key }: Pick<MockModel, "getters" | "key">,
  { value, path }: { readonly value: Readonly<Record<string, unknown>>; readonly path: string },
): void {
  for (const { name, type: fieldType, args, resolve } of Object.values(type.getFields())) {
    if (name === "id" || name === key?.name || getters.has(name) || resolve !== undefined) continue;
    if (value[name] !== undefined || args.length > 0 || !isNonNullType(fieldType)) continue;
    if (!isLeafType(getNamedType(fieldType))) continue;
    throw fault(path, `"${name}" is missing, which is ${fieldType} in ${type.name}`);
  }
}

/** Explains why a value is none of a leaf type, or of no list; `undefined` for objects. */
function leafFault(type: GraphQLOutputType, value: unknown): string | undefined {
  const named = getNullableType(type);
  if (value === null) return named === type ? undefined : `it is ${type}, not null`;
  if (isListType(named)) return `it is ${named}, a list`;
  if (!isLeafType(named) || isAccepted(named, value)) return undefined;
  if (!isEnumType(named)) return `it is ${named}, not ${JSON.stringify(value)}`;
  const names = named.getValues().map(({ name }) => name);
  const known = names.length === 0 ? "which has no values" : `one of ${names.join(", ")}`;
  return `it is ${named}, ${known}`;
}

/** Whether GraphQL accepts a value; scalars of the schema's own take any here. */
function isAccepted(type: GraphQLLeafType, value: unknown): boolean {
  if (!isEnumType(type) && !isSpecifiedScalarType(type)) return true;
  try {
    type.parseValue(value);
    return true;
  } catch {
    return false;
  }
}

/** A value of the seed file and its path, such as `people[0].name`. */
export interface Located {
  readonly value: unknown;
  readonly path: string;
}

/** Creates the error for a path of the seed file. */
export function fault(path: string, state: string): ServeError {
  return new ServeError(`${path}: Cannot use it: ${state}`);
}

/** Creates the error for an unknown name, with a similar one as a suggestion. */
export function unknownName(
  { value, path }: Located,
  state: string,
  known: readonly string[],
): ServeError {
  const nearest = nearestName(String(value), known);
  return fault(path, `${state} "${value}"${nearest ? `; did you mean "${nearest}"` : ""}`);
}
