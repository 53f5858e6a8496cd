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
import type { Dialect } from "../dialects/dialect.ts";
import type { ShapeOf } from "../schema/shapes.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { countedKey, keyOf, type Pluralize, pluralsOf, type TableNames } from "../shared/names.ts";
import { type ListWords, listWordsOf } from "./list_words.ts";

/** The records from which arguments choose, by their GraphQL types. */
export interface Target {
  /** The names that requests have for what to do with the records. */
  readonly words: ListWords;
  readonly types: readonly GraphQLObjectType[];
  /** The field with a name in any casing, or the ids of a relation. */
  find(key: string): Member | undefined;
  /** The field whose plural a name is. */
  findPlural(key: string): Member | undefined;
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

/** What describes the types of records. */
export interface TargetContext {
  readonly graphQLSchema: GraphQLSchema;
  readonly shapeOf: ShapeOf;
  readonly mirageSchema: TableNames;
  readonly conventions: { readonly dialects: readonly Dialect[] };
}

/** Describes the records of some types; the fields are read when they are first needed. */
export function createTarget(
  context: TargetContext,
  types: readonly GraphQLObjectType[],
): Target {
  const plural = pluralsOf(context.mirageSchema);
  let byKey: ReadonlyMap<string, Member> | undefined;
  const members = () => byKey ??= membersOf(context, types);
  return {
    words: listWordsOf(context.conventions.dialects),
    types,
    find: (key) => members().get(key) ?? idsNamed(key, members(), plural),
    findPlural: (key) => [...members()].find(([one]) => plural(one) === key)?.[1],
    get members() {
      return [...new Set(members().values())];
    },
  };
}

function membersOf(
  context: TargetContext,
  types: readonly GraphQLObjectType[],
): ReadonlyMap<string, Member> {
  const byKey = new Map<string, Member>();
  const add = (key: string, member: Member) => {
    if (!byKey.has(key)) byKey.set(key, member);
  };
  const fields = types.flatMap((type) => Object.values(type.getFields()));
  const members = fields.flatMap((field) => toMember(context, field) ?? []);
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
  return byKey;
}

/** The ids of a relation: `authorId` and `authorIds` are those of `author`, and `movieIds` those of
 * `movies`. */
function idsNamed(
  key: string,
  members: ReadonlyMap<string, Member>,
  plural: Pluralize,
): Member | undefined {
  const [, one, many] = /^(.+)id(s?)$/.exec(key) ?? [];
  if (one === undefined) return undefined;
  const isOf = ({ name, kind, isList }: Member) =>
    kind === "relation" &&
    (many === "s"
      ? keyOf(name) === one || isList && keyOf(name) === plural(one)
      : !isList && keyOf(name) === one);
  const relation = [...members.values()].find(isOf);
  return relation && { ...relation, kind: "ids" };
}

function toMember(
  context: TargetContext,
  { name, type }: GraphQLField<unknown, unknown>,
): Member | undefined {
  const named = getNamedType(type);
  if (isLeafType(named)) {
    const isMany = isListType(getNullableType(type));
    return { name, kind: "attribute", isList: isMany, type, target: undefined };
  }
  const { kind, nodeType = named } = context.shapeOf(named);
  if (!isCompositeType(nodeType)) return undefined;
  const target = createTarget(context, possibleTypes(context.graphQLSchema, nodeType));
  const isMany = kind === "connection" || isList(type);
  return { name, kind: "relation", isList: isMany, type, target };
}
