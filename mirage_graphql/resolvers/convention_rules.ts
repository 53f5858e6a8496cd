import type { GraphQLField, GraphQLObjectType } from "graphql";
import type { Dialect } from "../dialects/dialect.ts";
import type { MirageRecord } from "../orm/mirage.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { NestedConventions } from "../orm/writes/nested_conventions.ts";
import type { PageArgs } from "../relay/page.ts";
import type { Fits, Item } from "./list_item.ts";
import type { MutationVerb } from "./mutation_name.ts";
import type { Resolve, ResolverCall } from "./resolver_call.ts";

type Field = GraphQLField<unknown, unknown>;

/** Sorts items as requested; equal ones keep their order. */
export type Sort = <Value>(values: readonly Value[], toItem: (value: Value) => Item) => Value[];

/** What the arguments of a list mean, except those that filter by equality. */
export interface ListArguments {
  /** The arguments that don't filter. */
  readonly ignored: ReadonlySet<string>;
  /** Input objects whose fields are arguments, such as `options: { limit, sort }`. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** The requested page; `undefined` if the field has no such arguments. */
  readonly page: ((call: ResolverCall) => PageArgs | undefined) | undefined;
  /** The requested order; `undefined` if the field has no such arguments. */
  readonly sort: ((call: ResolverCall) => Sort | undefined) | undefined;
  /** The records of the ids that a request lists, in their order; `undefined` for other fields. */
  readonly byIds: ((call: ResolverCall) => readonly unknown[]) | undefined;
  /** Creates the filter of an argument's value, by the path of the argument. */
  readonly filters: ReadonlyMap<string, (expected: unknown) => Fits>;
}

/** A field that returns records, and its arguments that never filter. */
export interface ListField {
  readonly parentType: GraphQLObjectType;
  readonly field: Field;
  readonly types: readonly GraphQLObjectType[];
  readonly models: readonly MockModel[];
  readonly ignored: ReadonlySet<string>;
  /** Whether an argument filters by equality, without a convention. */
  readonly isEquality: (argument: Field["args"][number]) => boolean;
}

/** What a mutation does to its records. */
export type WriteAction = "create" | "update" | "delete" | "upsert";

/** What a mutation in the style of a widespread API wrote, and how that becomes its value. */
export interface CommonResult {
  readonly model: MockModel;
  readonly action: WriteAction;
  /** Copies of the records after the write, or before they were deleted. */
  readonly records: readonly MirageRecord[];
  /** Their ids in the form of responses. */
  readonly ids: readonly string[];
  /** How many records were written, including nested ones. */
  readonly count: number;
  readonly clientMutationId: unknown;
  /** The value of the mutation's field. */
  readonly answer: Answer;
}

/** What a mutation wrote, from which its value is created. */
export interface Written extends Pick<CommonResult, "action" | "count" | "clientMutationId"> {
  /** The values of the records, in order. */
  readonly values: readonly unknown[];
  /** Their ids in the form of responses. */
  readonly ids: readonly string[];
  /** The cursor of the first record; `undefined` if there is none. */
  readonly cursor: string | undefined;
  /** Reads a relation of the first record; `undefined` if there is none. */
  readonly related: (name: string) => unknown;
}

/** The value of a mutation's field, or of a field of its payload. */
export type Answer = (written: Written) => unknown;

/** A mutation that may be in the style of a widespread API. */
export interface CommonField<Plan extends PlannedByTypes> {
  readonly field: Field;
  readonly verb: MutationVerb | undefined;
  /** Whether a user-defined resolver calls it. */
  readonly isExplicit: boolean;
  /** The target by its types alone; `undefined` if they don't determine one. */
  readonly planned: Plan | undefined;
  /** The target by its types if its name said that it updates; an error if that is not enough. */
  readonly planUpdate: () => Plan | Error;
  /** Rejects a call; `reason` completes "it ...". */
  readonly refuse: (reason: string) => Error;
}

/** The action of a mutation according to its types. */
export interface PlannedByTypes {
  readonly action: WriteAction;
  /** Where the id of the record is in the arguments. */
  readonly id?: readonly string[] | undefined;
  readonly target: {
    readonly models: readonly MockModel[];
    readonly payload: object | undefined;
  };
  /** The value of a field whose payload contains more than the record. */
  readonly answer?: Answer;
  /** What it does instead if its arguments have an id there. */
  readonly update?: {
    readonly id: readonly [string, ...string[]];
    readonly plan: PlannedByTypes | Error;
  };
}

/** Performs a mutation; `call` has the request that contains the arguments. */
export type CommonPerform = (
  args: Readonly<Record<string, unknown>>,
  call: ResolverCall | undefined,
) => CommonResult;

/** The rules of the mutations of one handler. */
export interface WriteRules {
  /** What inputs may contain in addition to ids, plain values and nested objects. */
  readonly nested: NestedConventions;
  /**
   * Performs a mutation in the style of a widespread API, rejects it, or completes what its types
   * say; `undefined` if they say nothing either.
   */
  createCommonMutation<Plan extends PlannedByTypes>(
    field: CommonField<Plan>,
  ): CommonPerform | Plan | Error | undefined;
}

/** The code that follows dialects; a handler without any does not have it. */
export interface DialectEngine {
  /** Determines which arguments of a field page, sort and filter. */
  createListArguments(orm: Orm, field: ListField): ListArguments;
  /** Resolves a number or an aggregate of records; `undefined` if the field is neither. */
  createCountResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve | undefined;
  /** Resolves a field that describes a page; `undefined` if it doesn't. */
  createFactResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve | undefined;
  /** Resolves a connection of scalars. */
  createScalarConnectionResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve;
  /** Resolves an object whose lists share a page. */
  createSharedPageResolver(orm: Orm, field: Field): Resolve;
  /** Resolves a list of such an object. */
  createSharedListResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve;
  /** Creates the rules of mutations. */
  createWriteRules(orm: Orm): WriteRules;
}

/** A dialect with the code that follows it. */
export interface DefinedDialect extends Dialect {
  readonly engine: DialectEngine;
}

/** What resolvers need: the models and the records, and the code that follows dialects, if any. */
export interface MockOrm extends Orm {
  readonly engine?: DialectEngine | undefined;
  /** The rules of its mutations; only types say what they do if it is left out. */
  readonly writes?: WriteRules | undefined;
}

/** Adds the code that follows the dialects of an ORM, if it has any. */
export function withEngine(orm: Orm): MockOrm {
  const engine = orm.conventions.dialects.find(isDefined)?.engine;
  const writes = orm.conventions.writes ? engine?.createWriteRules(orm) : undefined;
  return { ...orm, engine, writes };
}

function isDefined(dialect: Dialect): dialect is DefinedDialect {
  return "engine" in dialect;
}
