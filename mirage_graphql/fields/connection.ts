import { getNamedType, type GraphQLField, type GraphQLObjectType, isObjectType } from "graphql";
import type { Orm } from "../orm/orm.ts";
import {
  type Convertible,
  RecordList,
  TO_RESOLVER_VALUE,
  type ToResolverValue,
} from "../orm/records/record_store.ts";
import { encodeCursor } from "../relay/cursor.ts";
import type { PageArgs } from "../relay/page.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { createListPlan, listFor } from "./list.ts";
import { createIdentify, type Identify, pageSlice } from "./page_slice.ts";
import type { Resolve, ResolverCall } from "../arguments/call.ts";
import { thenMap, toResolved } from "./source.ts";

/** A page of a list, with the fields of the Relay cursor connections specification. */
export interface Connection {
  /** Identifies the page, if its type has the field. */
  readonly id?: string;
  readonly edges: readonly Edge[];
  readonly nodes: readonly unknown[];
  readonly pageInfo: PageInfo;
  /** Number of values in all pages together. */
  readonly totalCount: number;
}

/** One value of a page. */
export interface Edge {
  readonly node: unknown;
  readonly cursor: string;
}

/** Position of a page among the others; it also carries the page's facts. */
export interface PageInfo {
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** What is known about a page, in addition to its nodes. */
export interface PageFacts {
  /** The records of all pages together. */
  readonly list: RecordList;
  /** Number of records in all pages together. */
  readonly total: number;
  /** Position of the page's first record. */
  readonly start: number;
  /** Most records of a page. */
  readonly size: number;
  /** Number of the page, from 1, if the request has it. */
  readonly page?: number | undefined;
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** Key of a page's facts, in the page itself or in its `pageInfo`. */
export const FACTS: unique symbol = Symbol("page facts");

const PAGE_ARGUMENTS: ReadonlySet<string> = new Set(["first", "after", "last", "before"]);

/**
 * Resolves a connection: the list that matches the other arguments, cut to a page.
 *
 * @see https://relay.dev/graphql/connections.htm
 */
export function createConnectionResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  types: readonly GraphQLObjectType[],
): Resolve {
  const plan = createListPlan(orm, parentType, field, types, PAGE_ARGUMENTS);
  const { identify, filter: { list: { page } } } = plan;
  const named = getNamedType(field.type);
  const hasId = isObjectType(named) && named.getFields().id !== undefined;
  return (call) =>
    thenMap(plan.read(call), (sourceValue) => {
      const list = listFor(orm, plan, call, sourceValue);
      if (list === undefined) return sourceValue;
      const pageArgs = page === undefined ? toPageArgs(call.args) : page(call) ?? {};
      const found = pageOf(orm, list, pageArgs, identify);
      // clients cache by it, and other arguments make another page
      return hasId
        ? Object.assign(found, { id: `${field.name}:${JSON.stringify(call.args)}` })
        : found;
    }, call);
}

/**
 * Plans how to read what user-defined code returns for a field: a resolver, or a function of the
 * source. Its order and values are kept; the list of a connection is cut to the requested page.
 */
export function createToResult(
  orm: Orm,
  { type }: GraphQLField<unknown, unknown>,
): (value: unknown, args: ResolverCall["args"]) => unknown {
  const nodeType = isList(type) ? undefined : orm.shapeOf(getNamedType(type)).nodeType;
  if (nodeType === undefined) return toResolved;
  const types = possibleTypes(orm.graphQLSchema, nodeType);
  const toPage = createPagerOf(orm, createIdentify(orm, types));
  return (value, args) =>
    thenMap(toResolved(value), (list) => Array.isArray(list) ? toPage(list, args) : list, {});
}

/** Cuts a list from user-defined code to the requested page. */
export type ToPage = (values: readonly unknown[], args: ResolverCall["args"]) => Connection;

/** Plans how to page lists whose values are identified in a way of their own. */
export function createPagerOf(orm: Orm, identify: Identify): ToPage {
  return (values, args) =>
    pageOf(orm, new RecordList([{ records: values }]), toPageArgs(args), identify);
}

function pageOf(orm: Orm, list: RecordList, args: PageArgs, identify: Identify): Connection {
  const { start, end, hasPreviousPage, hasNextPage } = pageSlice(orm, list, args, identify);
  const edges = list.slice(start, end).map((node) => new LazyEdge(node, identify));
  const startCursor = edges[0]?.cursor ?? null;
  const endCursor = edges.at(-1)?.cursor ?? null;
  const pageInfo = { hasPreviousPage, hasNextPage, startCursor, endCursor };
  const size = args.first ?? args.last ?? list.length;
  const facts = { list, total: list.length, start, size, page: args.page, ...pageInfo };
  // hidden, and kept by a resolver that copies the page or replaces its nodes
  Object.defineProperty(pageInfo, FACTS, { value: facts });
  return new RecordConnection(edges, pageInfo, list.length);
}

class RecordConnection implements Connection, Convertible {
  declare readonly id?: string;

  constructor(
    readonly edges: readonly LazyEdge[],
    readonly pageInfo: PageInfo,
    readonly totalCount: number,
  ) {}

  get nodes(): readonly unknown[] {
    return this.edges.map(({ node }) => node);
  }

  /** Copies everything that user-defined code may change. */
  [TO_RESOLVER_VALUE](show: ToResolverValue): Connection {
    const edges = this.edges.map((edge) => edge[TO_RESOLVER_VALUE](show));
    const nodes = edges.map(({ node }) => node);
    const page = { edges, nodes, pageInfo: this.pageInfo, totalCount: this.totalCount };
    return this.id === undefined ? page : { ...page, id: this.id };
  }
}

function toPageArgs({ first, after, last, before }: ResolverCall["args"]): PageArgs {
  return {
    first: typeof first === "number" ? first : null,
    after: typeof after === "string" ? after : null,
    last: typeof last === "number" ? last : null,
    before: typeof before === "string" ? before : null,
  };
}

/** An edge that encodes its cursor on demand. */
class LazyEdge implements Edge, Convertible {
  readonly #identify: Identify;
  readonly node: unknown;

  constructor(node: unknown, identify: Identify) {
    this.node = node;
    this.#identify = identify;
  }

  get cursor(): string {
    const { typeName, id } = this.#identify(this.node);
    return encodeCursor(typeName, id);
  }

  [TO_RESOLVER_VALUE](show: ToResolverValue): Edge {
    return { node: show(this.node), cursor: this.cursor };
  }
}
