import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isCompositeType,
  isLeafType,
  isListType,
} from "graphql";
import { connectionShape, isList, possibleTypes } from "../schema/type_shapes.ts";
import { countedKey, keyOf, singularOf } from "./words.ts";

/** The records from which arguments choose, by their GraphQL types. */
export interface Target {
  readonly types: readonly GraphQLObjectType[];
  /** The field with a name in any casing, or the ids of a relation. */
  find(key: string): Member | undefined;
  readonly members: readonly Member[];
}

/** A field of the records. */
export interface Member {
  /** Name of the field. */
  readonly name: string;
  /**
   * Whether it is a value, leads to other records, or is the ids of these: `authorId` for `author`.
   */
  readonly kind: "attribute" | "relation" | "ids";
  /** Whether it has several values or records. */
  readonly isList: boolean;
  readonly type: GraphQLOutputType;
  /** The records that a relation leads to; `undefined` for attributes. */
  readonly target: Target | undefined;
  /** The list whose records a number counts that a record may lack: `posts` for `postsCount`. */
  readonly counted?: Member;
}

/** Reads the members of a record, wherever it is held. */
export interface MemberReader<Item> {
  /** The value of an attribute, or the ids of a relation. */
  value(item: Item, member: Member): unknown;
  /** The records that a relation leads to. */
  related(item: Item, member: Member): readonly Item[];
  /**
   * The type of the record whose id a member has; `undefined` if it has none. Left out if no
   * request has ids that say their type.
   */
  readonly typeOfIds?: ((item: Item, member: Member) => string | undefined) | undefined;
}

/** Describes the records of some types; the fields are read when they are first needed. */
export function createTarget(
  graphQLSchema: GraphQLSchema,
  types: readonly GraphQLObjectType[],
): Target {
  let byKey: ReadonlyMap<string, Member> | undefined;
  const members = () => byKey ??= membersOf(graphQLSchema, types);
  return {
    types,
    find: (key) => members().get(key),
    get members() {
      return [...new Set(members().values())];
    },
  };
}

function membersOf(
  graphQLSchema: GraphQLSchema,
  types: readonly GraphQLObjectType[],
): ReadonlyMap<string, Member> {
  const byKey = new Map<string, Member>();
  const add = (key: string, member: Member) => {
    if (!byKey.has(key)) byKey.set(key, member);
  };
  const fields = types.flatMap((type) => Object.values(type.getFields()));
  const members = fields.flatMap((field) => toMember(graphQLSchema, field) ?? []);
  const lists = new Map(
    members.filter(({ kind, isList }) => kind === "relation" && isList)
      .map((member) => [keyOf(member.name), member]),
  );
  for (const member of members) {
    const counted = String(getNullableType(member.type)) === "Int"
      ? lists.get(countedKey(member.name) ?? "")
      : undefined;
    add(keyOf(member.name), counted === undefined ? member : { ...member, counted });
  }
  for (const member of members) {
    if (member.kind !== "relation") continue;
    const ids: Member = { ...member, kind: "ids" };
    add(`${singularOf(keyOf(member.name))}id${member.isList ? "s" : ""}`, ids);
  }
  return byKey;
}

function toMember(
  graphQLSchema: GraphQLSchema,
  { name, type }: GraphQLField<unknown, unknown>,
): Member | undefined {
  const named = getNamedType(type);
  if (isLeafType(named)) {
    const isMany = isListType(getNullableType(type));
    return { name, kind: "attribute", isList: isMany, type, target: undefined };
  }
  const connection = connectionShape(named);
  const nodeType = connection?.nodeType ?? named;
  if (!isCompositeType(nodeType)) return undefined;
  const target = createTarget(graphQLSchema, possibleTypes(graphQLSchema, nodeType));
  const isMany = connection !== undefined || isList(type);
  return { name, kind: "relation", isList: isMany, type, target };
}
