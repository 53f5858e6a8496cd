import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";

const aggregateTypes = new WeakSet<GraphQLNamedType>();
const functionTypes = new WeakSet<GraphQLNamedType>();

/**
 * Whether a type of a registered schema has aggregates of records, such as
 * `{ count sum { price } }` or `{ count priceMax }`.
 */
export function isAggregateType(type: GraphQLNamedType): boolean {
  return aggregateTypes.has(type);
}

/** Whether a type of a registered schema has one function of several attributes: `{ price rank }`. */
export function isFunctionType(type: GraphQLNamedType): boolean {
  return functionTypes.has(type);
}

/**
 * Finds the types of a schema that have aggregates of records.
 *
 * @param excluded Types that are not aggregates, such as the root types.
 */
export function registerAggregates(
  graphQLSchema: GraphQLSchema,
  excluded: ReadonlySet<GraphQLNamedType>,
): void {
  for (const type of Object.values(graphQLSchema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__") || excluded.has(type)) continue;
    if (!hasAggregates(type)) continue;
    aggregateTypes.add(type);
    for (const field of Object.values(type.getFields())) {
      if (isFunctionField(field)) functionTypes.add(getNamedType(field.type));
    }
  }
}

const FUNCTION = /^_*(sum|avg|average|mean|min|max|minimum|maximum|count|distinct_?count)$/i;
/** Functions that are not computed, whose values are `null`. */
const OTHER_FUNCTION = /^_*(std_?dev|var)/i;
const COUNT = /^_*(total_?)?count$/i;
const OF_NUMBERS = /^_*(sum|avg|average|mean)$/i;
/** Dgraph's `priceMax`. */
const SUFFIXED = /[^_]_?(Min|Max|Sum|Avg)$/;

function hasAggregates(type: GraphQLObjectType): boolean {
  const { id, ...others } = type.getFields();
  const fields = Object.values(others).filter(({ type }) => !isListType(getNullableType(type)));
  const leaves = fields.filter(({ type }) => isLeafType(getNamedType(type)));
  const objects = fields.filter((field) => !leaves.includes(field));
  if (id !== undefined || !objects.every(isFunctionField)) return false;
  const isNamed = /aggregat/i.test(type.name);
  const isCounted = leaves.some(({ name }) => COUNT.test(name));
  if (objects.length > 0) {
    return isNamed || isCounted || objects.some(({ name }) => OF_NUMBERS.test(name));
  }
  return leaves.length > 0 && (isNamed || leaves.some(({ name }) => SUFFIXED.test(name))) &&
    leaves.every(({ name }) => COUNT.test(name) || SUFFIXED.test(name));
}

function isFunctionField({ name, type }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  if (!isObjectType(named) || !FUNCTION.test(name) && !OTHER_FUNCTION.test(name)) return false;
  const fields = Object.values(named.getFields());
  return fields.every(({ name, type }) => name !== "__typename" && isLeafType(getNamedType(type)));
}
