import {
  assertObjectType,
  getArgumentValues,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
} from "graphql";
import { type ListWords, listWordsOf } from "../arguments/list_words.ts";
import { pageKeyOf, toPageRequest } from "../arguments/paging.ts";
import type { Orm } from "../orm/orm.ts";
import type { PageArgs, PageSlice } from "../relay/page.ts";
import { collectFields, selectionOf, selectionSetsOf } from "../shared/selection.ts";
import { isObjectList, possibleTypes } from "../schema/types.ts";
import { FACTS, type PageFacts } from "./connection.ts";
import { RecordList } from "../orm/records/record_store.ts";
import { createListPlan, listFor } from "./list.ts";
import { type Identify, pageSlice } from "./page_slice.ts";
import type { Resolve, ResolverCall } from "../arguments/call.ts";
import { isObject } from "../shared/values.ts";

type Field = GraphQLField<unknown, unknown>;

/** Key of the page that the lists of an object share. */
const PAGE: unique symbol = Symbol("shared page");

/**
 * Resolves an object whose lists share the page that its arguments request. What it says about the
 * page is about the first list that the request selects.
 */
export function createSharedPageResolver(orm: Orm, field: Field): Resolve {
  const words = listWordsOf(orm.conventions.dialects);
  const type = assertObjectType(getNamedType(field.type));
  const lists = new Map(
    Object.values(type.getFields()).filter(isObjectList)
      .map((list) => [list.name, { list, ...createReadList(orm, type, list) }]),
  );
  return (call) => {
    const args = pageArgs(words, field, call.args);
    const source = { [PAGE]: args };
    const fields = collectFields(selectionOf(call.info), type, selectionSetsOf(call.info));
    const node = Array.from(fields.values(), ([one]) => one)
      .find(({ name }) => lists.has(name.value));
    const selected = lists.get(node?.name.value ?? "");
    if (node === undefined || selected === undefined) return source;
    const listArgs = getArgumentValues(selected.list, node, call.info.variableValues);
    const info = { ...call.info, fieldNodes: [node] };
    const list = selected.read({ ...call, source, args: listArgs, info });
    return {
      ...source,
      [FACTS]: factsOf(list, args, pageSlice(orm, list, args, selected.identify)),
    };
  };
}

/** Resolves a list of such an object. */
export function createSharedListResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve {
  const { read, identify } = createReadList(orm, parentType, field);
  return (call) => {
    const list = read(call);
    const page: unknown = isObject(call.source) ? Reflect.get(call.source, PAGE) : undefined;
    const { start, end } = pageSlice(orm, list, isObject(page) ? page : {}, identify);
    return list.slice(start, end);
  };
}

/** Reads the records that fit the arguments, of all pages. */
function createReadList(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): { readonly read: (call: ResolverCall) => RecordList; readonly identify: Identify } {
  const named = getNamedType(field.type);
  const types = isCompositeType(named) ? possibleTypes(orm.graphQLSchema, named) : [];
  const plan = { ...createListPlan(orm, parentType, field, types), missing: undefined };
  const read = (call: ResolverCall) => listFor(orm, plan, call, undefined) ?? new RecordList([]);
  return { read, identify: plan.identify };
}

function pageArgs(words: ListWords, { args }: Field, given: ResolverCall["args"]): PageArgs {
  const values = args.flatMap((argument) => {
    const role = pageKeyOf(words, argument);
    const value = given[argument.name];
    return role === undefined || value === null || value === undefined
      ? []
      : [[role, value] as const];
  });
  return toPageRequest(new Map(values)) ?? {};
}

function factsOf(
  list: RecordList,
  args: PageArgs,
  { start, hasPreviousPage, hasNextPage }: PageSlice,
): PageFacts {
  return {
    list,
    total: list.length,
    start,
    size: args.first ?? list.length,
    page: args.page,
    hasPreviousPage,
    hasNextPage,
    startCursor: null,
    endCursor: null,
  };
}
