import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from "graphql";
import type { Draw } from "../../testing/properties/draw.ts";
import { selectionOf } from "../../testing/selection_of.ts";
import { printValue, type QuerySource, randomArgument } from "./random_argument.ts";

type Field = GraphQLField<unknown, unknown>;

/** A selection set around another one. */
type Wrap = (selection: string) => string;

/**
 * A query for each field of each object type that the query type leads to, by the shortest way:
 * with the arguments that the field must have, and with optional ones if the source says so.
 */
export function fieldQueries(draw: Draw, source: QuerySource): readonly string[] {
  return Array.from(
    waysTo(draw, source),
    ([type, wrap]) =>
      Object.values(type.getFields()).map((field) =>
        wrap(`${selected(draw, source, field)}${leavesOf(field)}`)
      ),
  ).flat();
}

/** A mutation for each field of the mutation type, with all that it returns, two levels deep. */
export function fieldMutations(draw: Draw, source: QuerySource): readonly string[] {
  const fields = Object.values(source.schema.getMutationType()?.getFields() ?? {});
  return fields.map((field) =>
    `mutation { ${selected(draw, source, field)}${selectionOf(getNamedType(field.type), 2)} }`
  );
}

/** The object types that the query type leads to, and the shortest selection that reaches each. */
function waysTo(draw: Draw, source: QuerySource): ReadonlyMap<GraphQLObjectType, Wrap> {
  const query = source.schema.getQueryType();
  const ways = new Map<GraphQLObjectType, Wrap>(query ? [[query, (inner) => `{ ${inner} }`]] : []);
  for (const [type, wrap] of ways) {
    for (const field of Object.values(type.getFields())) {
      const start = selected(draw, source, field);
      for (const member of membersOf(source, getNamedType(field.type))) {
        if (ways.has(member)) continue;
        ways.set(member, (inner) => wrap(`${start} { ... on ${member.name} { ${inner} } }`));
      }
    }
  }
  return ways;
}

function membersOf(
  { schema }: QuerySource,
  type: GraphQLNamedType,
): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isCompositeType(type) ? schema.getPossibleTypes(type) : [];
}

/** Arguments that only a page provides, or that must not be next to `first`. */
const OF_PAGES = new Set(["after", "before", "last"]);

/** A field with the arguments that it must have, and with optional ones. */
function selected(draw: Draw, source: QuerySource, field: Field): string {
  const isGiven = (arg: GraphQLArgument) =>
    isRequiredArgument(arg) ||
    source.hasOptional && !OF_PAGES.has(arg.name) && draw.chance(1, 2);
  const given = field.args.filter(isGiven).map((arg) =>
    `${arg.name}: ${printValue(randomArgument(draw, source, { field, arg }), arg.type)}`
  );
  return given.length === 0 ? field.name : `${field.name}(${given.join(", ")})`;
}

/** The selection of a field that leads to objects: the plain values of these. */
function leavesOf(field: Field): string {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return "";
  const leaves = isUnionType(type) ? [] : Object.values(type.getFields())
    .filter((one) => isLeafType(getNamedType(one.type)) && !one.args.some(isRequiredArgument))
    .map(({ name }) => name);
  return ` { ${["__typename", ...leaves].join(" ")} }`;
}
