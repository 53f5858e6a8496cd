import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
} from "graphql";
import { relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { idFormatOf, toTableId } from "../orm/records/record_ids.ts";
import type { PageArgs } from "../relay/page.ts";
import { keyOf, wordsOf } from "../shared/names.ts";
import { selectedTypes } from "../shared/selection.ts";
import { UnresolvedField } from "../shared/unresolved_field.ts";
import { isGiven, isObject } from "../shared/values.ts";
import { createGivenArguments, type ResolverCall } from "./call.ts";
import { compareBy, createMemberReader, equality, type Item } from "./item.ts";
import { type SortKey, sortValue } from "./sort_key.ts";
import type { ListArguments, ListField, MatchNotes, Sort } from "./filter.ts";
import { createFilterRules, isIdRule } from "./filter_rules.ts";
import { filterRuleOf } from "./filter_shape.ts";
import type { ListWords, OrderRole, PageKey } from "./list_words.ts";
import { orderRoleOf, toSortKeys } from "./ordering.ts";
import { isPageObject, pageKeyOf, toPageRequest } from "./paging.ts";
import { inputFieldsOf, type InputValue } from "../schema/types.ts";
import { createTarget, type Target } from "./targets.ts";

/** An argument, or a field of an input object that is an argument. */
interface Place<Role> {
  readonly path: readonly string[];
  readonly role: Role;
}

/** The place of an order, and whether the schema lists its keys. */
interface OrderPlace extends Place<OrderRole> {
  readonly isEnum: boolean;
}

interface Roles {
  readonly pages: Place<PageKey>[];
  readonly orders: OrderPlace[];
}

/** Determines which arguments of a field page and sort; those that name an attribute filter. */
export function createListArguments(orm: Orm, list: ListField): ListArguments {
  const { parentType, field, types, ignored: ignoredAlways } = list;
  const target = createTarget(orm, types);
  const roles: Roles = { pages: [], orders: [] };
  const ignored = new Set(ignoredAlways);
  const context = new Set<string>();
  const groups = new Map<string, ReadonlySet<string>>();
  const isMember = ({ name }: InputValue) =>
    target.types.some((type) => type.getFields()[name] !== undefined);
  for (const argument of field.args) {
    if (orm.conventions.ignoreArguments.includes(argument.name) || isMember(argument)) continue;
    if (assignRole(orm, target.words, roles, [argument.name], argument)) {
      ignored.add(argument.name);
      continue;
    }
    if (isContext(target, argument)) context.add(argument.name);
    const members = groupMembers(orm, target, roles, argument);
    if (members.size > 0) groups.set(argument.name, members);
  }
  const { unknownArguments } = orm.conventions;
  const isLenient = unknownArguments === "ignore";
  return {
    ignored,
    context,
    groups,
    page: roles.pages.length === 0 ? undefined : (call) => pageOf(roles.pages, call, isLenient),
    sort: roles.orders.length === 0
      ? undefined
      : createSort(orm, { parentType, field, target, places: roles.orders }),
    byIds: orm.conventions.ids ? createIdLookup(orm, list, target) : undefined,
    notes: orm.conventions.filtering ? createMatchNotes(orm, list) : undefined,
    filters: createFilterRules(orm, list, { ignored, context, groups, target }),
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
  const inner = (paging ? inputFieldsOf(input.type) : []).flatMap((field): Place<PageKey>[] => {
    const inside = [...path, field.name];
    const role = isPage ? pageKeyOf(words, field, inside, true) : words.pageKey(inside);
    return role === undefined ? [] : [{ path: inside, role }];
  });
  pages.push(...inner);
  if (inner.length > 0) return true;
  const pageKey = paging ? pageKeyOf(words, input, path) : undefined;
  if (pageKey !== undefined) pages.push({ path, role: pageKey });
  const order = ordering && pageKey === undefined ? orderRoleOf(words, input, path) : undefined;
  if (order !== undefined) orders.push({ path, role: order, isEnum: hasEnum(input) });
  return pageKey !== undefined || order !== undefined;
}

/**
 * The fields of an input object that page or sort, so that its others are arguments too:
 * `options: { limit, sort }`, `filter: { q, page, per_page }`; empty if it has none.
 */
function groupMembers(
  orm: Orm,
  target: Target,
  roles: Roles,
  argument: InputValue,
): ReadonlySet<string> {
  const { words } = target;
  const isGroup = wordsOf(argument.name).some((word) => words.means("group", word));
  const isFilter = words.isGuessing && !isListType(getNullableType(argument.type));
  const mayHaveRole = ({ name }: InputValue) =>
    isGroup || isFilter && !VAGUE.test(keyOf(name)) && target.find(keyOf(name)) === undefined;
  const assigned = inputFieldsOf(argument.type).filter(mayHaveRole)
    .filter((field) => assignRole(orm, words, roles, [argument.name, field.name], field));
  return new Set(assigned.map(({ name }) => name));
}

/** Names that bound a value as often as a page, so that in a filter they don't page. */
const VAGUE = /^(from|to|min|max|size|top|start|number|current|before|after|first|last)$/;

/** Whether an argument is about the request as a whole, such as `languageCode`. */
function isContext({ words, find, findPlural }: Target, { name, type }: InputValue): boolean {
  const key = keyOf(name);
  return words.means("context", key) && isLeafType(getNamedType(type)) &&
    find(key) === undefined && findPlural(key) === undefined;
}

/** Whether the keys of an order are the values of an enum. */
function hasEnum(input: InputValue): boolean {
  return [input, ...inputFieldsOf(input.type)].some(({ type }) => isEnumType(getNamedType(type)));
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
  const given = places.filter((place) => !isUnlimited(place, valueAt(args, place.path)));
  const values = given.map(({ path, role }) => [role, valueAt(args, path)] as const)
    .filter(([role, value]) => !isEmpty(value) && !(isLenient && isWrongSize(role, value)));
  return toPageRequest(new Map(values));
}

/** `per_page: -1` is no limit; `take: -1` is the last record, as in Prisma. */
function isUnlimited({ path, role }: Place<PageKey>, value: unknown): boolean {
  return role === "limit" && Number(value) === -1 && path.at(-1) !== "take";
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
  readonly places: readonly OrderPlace[];
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
  { conventions, warnOnce }: Orm,
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
    const path = `${parentType.name}.${field.name}`;
    const typeName = target.types.map(({ name }) => name).join(" or ");
    const message = `Cannot sort ${path} by "${key}": ${typeName} has no such attribute. Write a ` +
      `resolver for ${path} that sorts by it`;
    // clients can't choose other keys than the schema lists
    const isKept = places.some((place) => place.isEnum && isGiven(place));
    if (isKept) warnOnce(message);
    else if (conventions.unknownArguments === "error") throw new UnresolvedField(message, path);
  });
}

/**
 * Plans a plural identifying root field, such as `nodes(ids: [ID!]!): [Node]!`: its only argument
 * is a required list of ids, and it has one entry for each of them, in their order. Unknown ids are
 * `null`, or left out if the list must not contain `null`. `undefined` for other fields.
 *
 * @see https://relay.dev/graphql/objectidentification.htm#sec-Plural-identifying-root-fields
 */
function createIdLookup(
  orm: Orm,
  { parentType, field, types, models }: ListField,
  target: Target,
): ListArguments["byIds"] {
  const [argument, ...others] = field.args;
  const list = getNullableType(field.type);
  const isAtRoot = parentType === orm.graphQLSchema.getQueryType();
  if (argument === undefined || others.length > 0 || !isAtRoot || !isListType(list)) {
    return undefined;
  }
  const rule = filterRuleOf(argument, target);
  const isPlural = isRequiredArgument(argument) && isListType(getNullableType(argument.type));
  if (!isPlural || rule === undefined || !isIdRule(rule)) return undefined;
  // several types may have the same local id, and the selection names some of them
  const isGuess = models.length > 1 && idFormatOf(orm) === "local";
  return (call) => {
    const ordered = isGuess ? selectedTypes(types, call.info) : types;
    const records = idsOf(call, argument.name).map((id) => {
      for (const { name } of ordered) {
        const model = orm.models.ofType(name);
        const record = model && orm.store.of(model).find(toTableId(orm, model, id));
        if (record !== undefined) return record;
      }
      return null;
    });
    return isNonNullType(list.ofType) ? records.filter((record) => record !== null) : records;
  };
}

function idsOf({ args }: ResolverCall, name: string): readonly unknown[] {
  const ids = args[name];
  return Array.isArray(ids) ? ids : [];
}

/** In how many requests an argument has to match nothing before that is reported. */
const REQUESTS = 3;

/**
 * Reports an argument that no record of a table with records has matched in any request: it is
 * compared with the attribute of its name, and may be about something else, such as a sales channel.
 */
function createMatchNotes(orm: Orm, list: ListField): MatchNotes | undefined {
  const { field, models, parentType, types } = list;
  const isAttribute = (name: string) => !models.some((model) => relationNamed(model, name));
  const compared = field.args.filter((argument) =>
    list.isEquality(argument) && isAttribute(argument.name) &&
    getNamedType(argument.type).name !== "ID"
  );
  if (compared.length === 0) return undefined;
  const given = createGivenArguments(field);
  const unmatched = new Map(compared.map(({ name }) => [name, 0]));
  const notes = {
    isDone: false,
    note(call: ResolverCall, hasRecords: boolean): void {
      const args = given(call);
      for (const [name, count] of unmatched) {
        const expected = args[name];
        if (!isGiven(expected)) continue;
        const state = hasRecords ? "matched" : stateOf(name, expected);
        if (state === "matched") unmatched.delete(name);
        if (state !== "unmatched") continue;
        unmatched.set(name, count + 1);
        if (count + 1 === REQUESTS) warn(name);
      }
      notes.isDone = unmatched.size === 0;
    },
  };
  return notes;

  function stateOf(name: string, expected: unknown): "matched" | "unmatched" | "unknown" {
    const fits = equality(orm, models, name)(expected);
    const tables = models.map((model) => ({ model, records: orm.store.of(model) }))
      .filter(({ records }) => records.first() !== undefined);
    const isMatched = tables.some(({ model, records }) =>
      records.first((record) => fits(record, model)) !== undefined
    );
    return isMatched ? "matched" : tables.length > 0 ? "unmatched" : "unknown";
  }

  function warn(name: string): void {
    const typeName = types.map((type) => type.name).join(" or ");
    orm.warnOnce(
      `${parentType.name}.${field.name} was empty in ${REQUESTS} requests: no ${typeName} has the ` +
        `"${name}" that they ask for. If the argument is about something else, give the handler ` +
        `the option ignoreArguments: ["${name}"]`,
    );
  }
}
