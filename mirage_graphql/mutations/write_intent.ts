import type { GraphQLInputType } from "graphql";
import type { ResolverCall } from "../arguments/call.ts";
import type { WriteAction } from "../dialects/dialect.ts";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import { noRecordState } from "../orm/records/record_ids.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";
import { type WriteContext, writeError } from "../orm/writes/write_context.ts";
import type { RecordWrite } from "../orm/writes/write_records.ts";
import type { FollowedRule } from "../shared/followed_rule.ts";

/** Values by name. */
export type Values = Readonly<Record<string, unknown>>;

/** A `where`, and its input type. */
export interface Where {
  readonly where: Values;
  readonly type: GraphQLInputType;
}

/** What a call says about one record, or about all that its keys and filters find. */
export interface WriteItem {
  /** Values by which records are found. */
  readonly keys: Values;
  /** Objects by which records are found. */
  readonly filters: readonly Where[];
  /** Whether each of these items identifies one record, as in a list of `where`. */
  readonly isSingle: boolean;
  /** Conditions that the record has to match. */
  readonly conditions: readonly Where[];
  /** The values to write; `undefined` if the arguments have none. */
  readonly values: Values | undefined;
  /** The values of a new record, if those differ. */
  readonly created: Values | undefined;
  /** Changes of values, by the name of the operation. */
  readonly changes: readonly (readonly [operation: string, values: Values])[];
  /** What to do with an existing record. */
  readonly conflict: Where | "skip" | undefined;
  /** The lists of other records to which the record is added. */
  readonly lists: readonly RecordListRef[];
}

/** A list of related records, and the record that has it. */
export interface RecordListRef {
  readonly owner: RecordRef;
  readonly relation: Relation;
}

/** An item about nothing. */
export const NO_ITEM: WriteItem = {
  keys: {},
  filters: [],
  isSingle: false,
  conditions: [],
  values: undefined,
  created: undefined,
  changes: [],
  conflict: undefined,
  lists: [],
};

/** A record that exists, and its model. */
export interface FoundRecord {
  readonly model: MockModel;
  readonly ref: RecordRef;
}

/** What a new record meets: one that has the same key, and what to write then, if anything. */
export interface ConflictResult {
  readonly existing: RecordRef | undefined;
  readonly input: Values | undefined;
}

/** What a mutation wrote, from which its value is created. */
export interface Written {
  readonly action: WriteAction;
  /** How many records were written, including nested ones. */
  readonly count: number;
  readonly clientMutationId: unknown;
  /** The values of the records, in order. */
  readonly values: readonly unknown[];
  /** Their ids in the form of responses. */
  readonly ids: readonly string[];
  /** The cursor of the first record; `undefined` if there is none. */
  readonly cursor: string | undefined;
  /** Reads a relation of the first record; `undefined` if there is none. */
  readonly related: (name: string) => unknown;
  /**
   * The record of another type that the call or the first record leads to, or the parent that an
   * argument of that name and `Id` refers to; `undefined` if there is none.
   */
  readonly other: (typeOrName: string) => unknown;
}

/** The value of a mutation's field, or of a field of its payload. */
export type Answer = (written: Written) => unknown;

/** A record that a mutation wrote, and its model. */
export interface RecordResult {
  readonly model: MockModel;
  /** A copy of the record after the write, or before it was deleted. */
  readonly record: MirageRecord;
}

/** Finds the record of another model, or a parent, that a call or what it wrote leads to. */
export type FindOther = (
  typeOrName: string,
  written: { readonly args: Values; readonly call?: ResolverCall | undefined } & {
    readonly first: RecordResult | undefined;
  },
) => RecordResult | undefined;

/** What a mutation does, to which records, and what it returns. */
export interface WriteIntent {
  readonly action: WriteAction;
  /** The models whose records it writes: one, or those that an id may belong to. */
  readonly models: readonly MockModel[];
  /** Whether it may refer to a part of the record, so that values without a field are rejected. */
  readonly isPartial: boolean;
  readonly answer: Answer;
  /** Reads what to write from the arguments of one call. */
  read(args: Values, call: ResolverCall | undefined): readonly WriteItem[];
  /** The records that an item is about; an upsert may find none. */
  find(item: WriteItem): readonly FoundRecord[];
  /** Rejects a record that an item's conditions don't match. */
  check?(item: WriteItem, record: Readonly<MirageRecord>): void;
  /** What a new record with these values meets; nothing by default. */
  conflict?(item: WriteItem, input: Values): ConflictResult;
  /** The values that an item's changes make of those of a record; none by default. */
  changed?(item: WriteItem, record: Readonly<MirageRecord>, model: MockModel): Values;
  /** Further writes after that of an item's record; none by default. */
  after?(item: WriteItem, ref: RecordRef): readonly RecordWrite[];
  /** The records that go with the write of an item's record; none by default. */
  removed?(item: WriteItem): readonly RecordRef[];
  /** Finds the records of other models that the answer has; none by default. */
  readonly other?: FindOther | undefined;
  /** What it does instead with these arguments; `undefined` if it does what it says. */
  instead?(args: Values, call?: ResolverCall): WriteIntent | Refusal | undefined;
  /** The line of a dialect that says all this; `undefined` if words or types do. */
  readonly follows?: FollowedRule | undefined;
  /** The error of a call that can't be performed; `reason` completes "it ...". */
  refuse(reason: string): Error;
}

/** Why a mutation is not resolved: only this has a `reason`. */
export interface Refusal {
  /** Completes "it ...". */
  readonly reason: string;
  /** What a user-defined resolver can do. */
  readonly hint?: string | undefined;
  /** The rule that it doesn't follow, if no conventions add others to it. */
  readonly rule?: string | undefined;
}

/** The reason why a call can't be performed, where it is met; completes "it ...". */
export class UnreadArgument extends Error {
  override readonly name = "UnreadArgument";
}

/** The error of a record that is to be written and doesn't exist. */
export function notFound(
  context: WriteContext,
  { action, models }: Pick<WriteIntent, "action" | "models">,
  label: string,
  id: unknown,
): Error {
  const names = models.map(({ typeName }) => typeName);
  const state = noRecordState(context, names, id);
  return writeError(`Cannot ${action} ${names.join(" or ")} ${label}: ${state}`, {
    code: "NOT_FOUND",
  });
}
