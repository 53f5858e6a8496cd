import { GraphQLError, type GraphQLField, type GraphQLObjectType } from "graphql";
import { compareBy } from "./compare_values.ts";
import type { ListWords, OrderRole, PageKey } from "./list_words.ts";
import { orderRoleOf, toSortKeys } from "./ordering.ts";
import { fieldsOf, type InputValue, isPageObject, pageKeyOf, toPageRequest } from "./paging.ts";
import type { SortKey } from "./sort_key.ts";
import { createTarget, type Target } from "./targets.ts";
import { wordsOf } from "../shared/names.ts";
import { isObject } from "../orm/mirage/mirage_schema.ts";
import type { Orm } from "../orm/orm.ts";
import type { PageArgs } from "../relay/page.ts";
import { createGivenArguments, type ResolverCall } from "./call.ts";
import type { ListArguments, ListField, Sort } from "./filter.ts";
import type { Item } from "./item.ts";
import { createFilterRules } from "./filter_rules.ts";
import { createIdLookup } from "./id_lookup.ts";
import { createMemberReader, sortValue } from "./member_reader.ts";

/** An argument, or a field of an input object that is an argument. */
interface Place<Role> {
  readonly path: readonly string[];
  readonly role: Role;
}

interface Roles {
  readonly pages: Place<PageKey>[];
  readonly orders: Place<OrderRole>[];
}

/** Determines which arguments of a field page and sort; those that name an attribute filter. */
export function createListArguments(orm: Orm, list: ListField): ListArguments {
  const { parentType, field, types, ignored: ignoredAlways } = list;
  const target = createTarget(orm, types);
  const roles: Roles = { pages: [], orders: [] };
  const ignored = new Set(ignoredAlways);
  const groups = new Map<string, ReadonlySet<string>>();
  const isMember = ({ name }: InputValue) =>
    target.types.some((type) => type.getFields()[name] !== undefined);
  for (const argument of field.args) {
    if (isMember(argument)) continue;
    if (assignRole(orm, target.words, roles, [argument.name], argument)) {
      ignored.add(argument.name);
      continue;
    }
    const members = groupMembers(orm, target.words, roles, argument);
    if (members.size > 0) groups.set(argument.name, members);
  }
  const { unknownArguments } = orm.conventions;
  const isLenient = unknownArguments === "ignore";
  return {
    ignored,
    groups,
    page: roles.pages.length === 0 ? undefined : (call) => pageOf(roles.pages, call, isLenient),
    sort: roles.orders.length === 0
      ? undefined
      : createSort(orm, { parentType, field, target, places: roles.orders }),
    byIds: orm.conventions.ids ? createIdLookup(orm, list, target) : undefined,
    filters: createFilterRules(orm, list, { ignored, groups, target }),
  };
}

/** Whether an input is about the page or the order; its role is kept. */
function assignRole(
  { conventions: { paging, ordering } }: Orm,
  words: ListWords,
  { pages, orders }: Roles,
  path: readonly string[],
  input: InputValue,
): boolean {
  const isPage = words.isGuessing && isPageObject(words, input);
  const inner = (paging ? fieldsOf(input) : []).flatMap((field): Place<PageKey>[] => {
    const inside = [...path, field.name];
    const role = isPage ? pageKeyOf(words, field, inside, true) : words.pageKey(inside);
    return role === undefined ? [] : [{ path: inside, role }];
  });
  pages.push(...inner);
  if (inner.length > 0) return true;
  const pageKey = paging ? pageKeyOf(words, input, path) : undefined;
  if (pageKey !== undefined) pages.push({ path, role: pageKey });
  const order = ordering && pageKey === undefined ? orderRoleOf(words, input, path) : undefined;
  if (order !== undefined) orders.push({ path, role: order });
  return pageKey !== undefined || order !== undefined;
}

/** The fields of an input object that groups arguments; empty if it doesn't. */
function groupMembers(
  orm: Orm,
  words: ListWords,
  roles: Roles,
  argument: InputValue,
): ReadonlySet<string> {
  if (!wordsOf(argument.name).some((word) => words.means("group", word))) return new Set();
  const assigned = fieldsOf(argument)
    .filter((field) => assignRole(orm, words, roles, [argument.name, field.name], field));
  return new Set(assigned.map(({ name }) => name));
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => isObject(value) ? value[name] : undefined, args);
}

/** The page that a call requests; defaults of the schema count. */
function pageOf(
  places: readonly Place<PageKey>[],
  { args }: ResolverCall,
  isLenient: boolean,
): PageArgs | undefined {
  const values = places.map(({ path, role }) => [role, valueAt(args, path)] as const)
    .filter(([role, value]) => !isEmpty(value) && !(isLenient && isWrongSize(role, value)));
  return toPageRequest(new Map(values));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

function isWrongSize(role: PageKey, value: unknown): boolean {
  return (role === "first" || role === "last") && Number(value) < 0;
}

interface SortPlan {
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly target: Target;
  readonly places: readonly Place<OrderRole>[];
}

function createSort(orm: Orm, plan: SortPlan): (call: ResolverCall) => Sort | undefined {
  const given = createGivenArguments(plan.field);
  const reader = createMemberReader(orm);
  // a plan has the same arguments for all parents
  const planned = new WeakMap<object, readonly SortKey[]>();
  return (call) => {
    const keys = (call.isPlanned ? planned.get(call.args) : undefined) ??
      sortKeysOf(orm, plan, { args: call.args, givenArgs: given(call) });
    if (call.isPlanned) planned.set(call.args, keys);
    if (keys.length === 0) return undefined;
    const compares = keys.map(compareBy);
    return (values, toItem) =>
      values.map((value, index) => {
        const item = toItem(value);
        return { value, index, by: keys.map((key) => sortValueOf(item, key, index)) };
      }).sort((one, other) => {
        for (const [at, compare] of compares.entries()) {
          const order = compare(one.by[at], other.by[at]);
          if (order !== 0) return order;
        }
        return one.index - other.index;
      }).map(({ value }) => value);
  };

  function sortValueOf(item: Item, key: SortKey, index: number): unknown {
    return key.path.length === 0 ? index : sortValue(reader, item, key);
  }
}

/** Defaults alone don't sort. */
function sortKeysOf(
  { conventions }: Orm,
  { parentType, field, target, places }: SortPlan,
  { args, givenArgs }: Pick<Required<ResolverCall>, "args" | "givenArgs">,
): readonly SortKey[] {
  const isGiven = ({ path }: Place<OrderRole>) => !isEmpty(valueAt(givenArgs, path));
  if (!places.some(isGiven)) return [];
  const valuesOf = (expected: OrderRole) =>
    places.filter(({ role }) => role === expected).map(({ path }) => valueAt(args, path));
  const values = {
    keys: valuesOf("key"),
    direction: valuesOf("direction").find((one) => !isEmpty(one)),
    isReversed: valuesOf("reverse").includes(true),
  };
  return toSortKeys(target, values, (key) => {
    if (conventions.unknownArguments === "ignore") return;
    const path = `${parentType.name}.${field.name}`;
    const typeName = target.types.map(({ name }) => name).join(" or ");
    throw new GraphQLError(
      `Cannot sort ${path} by "${key}": ${typeName} has no such attribute. Write a resolver for ` +
        `${path} that sorts by it`,
    );
  });
}
