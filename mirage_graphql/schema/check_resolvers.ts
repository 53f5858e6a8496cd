import type { addResolversToSchema } from "@graphql-tools/schema";
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from "graphql";
import { nearestName } from "./nearest_name.ts";

/** Resolvers for members that the schema has. */
export type CheckedResolvers = Parameters<typeof addResolversToSchema>[0]["resolvers"];

const TYPE_MEMBERS = ["__resolveType", "__isTypeOf"];

/**
 * Checks that the schema has a member for each resolver, and returns them without those that are
 * `undefined`; a field without one never gets a function that plain objects inherit.
 *
 * @throws {TypeError} If it has none: the message says which resolver, and suggests a similar name.
 */
export function checkResolvers(graphQLSchema: GraphQLSchema, resolvers: object): CheckedResolvers {
  const types = graphQLSchema.getTypeMap();
  const given = withoutUndefined(resolvers);
  for (const [typeName, members] of Object.entries(given)) {
    const type = types[typeName];
    if (type === undefined) {
      const names = Object.keys(types).filter((name) => !name.startsWith("__"));
      throw unknown(typeName, "the schema has no such type", nearestName(typeName, names));
    }
    if (isScalarType(type)) continue;
    if (typeof members !== "object") {
      throw new TypeError(
        `Cannot use the resolver "${typeName}": it must be an object of resolvers by name`,
      );
    }
    given[typeName] = withoutUndefined(members);
    checkMembers(type, given[typeName]);
  }
  for (const type of Object.values(types)) {
    for (const name of inheritedNames(type)) {
      given[type.name] = { [name]: null, ...given[type.name] };
    }
  }
  return given;
}

/** The type's own fields for which an object of resolvers inherits a function, as `toString`. */
function inheritedNames(type: GraphQLNamedType): string[] {
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const isShared = (name: string) =>
    type.getInterfaces().some((one) => one.getFields()[name] !== undefined);
  return Object.keys(type.getFields()).filter((name) =>
    name in Object.prototype && !isShared(name)
  );
}

function checkMembers(type: GraphQLNamedType, members: object): void {
  const known = memberNames(type);
  if (known === undefined) return;
  for (const name of Object.keys(members)) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const state = `${type.name} has no such ${isEnumType(type) ? "value" : "field"}`;
    throw unknown(`${type.name}.${name}`, state, nearest && `${type.name}.${nearest}`);
  }
}

// the boundary: the attaching function checks what each resolver is
// deno-lint-ignore no-explicit-any
function withoutUndefined(members: object): Record<string, any> {
  const given = Object.entries(members).filter(([, one]) => one !== undefined && one !== null);
  return Object.fromEntries(given);
}

/** The names that a type's resolvers may have; `undefined` for the parts of a scalar. */
function memberNames(type: GraphQLNamedType): string[] | undefined {
  if (isScalarType(type)) return undefined;
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (isUnionType(type)) return TYPE_MEMBERS;
  if (isObjectType(type) || isInterfaceType(type)) {
    return [...Object.keys(type.getFields()), ...TYPE_MEMBERS];
  }
  return isInputObjectType(type) ? [] : undefined;
}

function unknown(path: string, state: string, nearest: string | undefined): TypeError {
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"`;
  return new TypeError(`Cannot use the resolver "${path}": ${state}${hint}`);
}
