import { GraphQLError, type GraphQLSchema } from "graphql";
import type { ResolvedConventions } from "../../dialects/options.ts";
import type { MirageAssociation, MirageRecord, MirageSchema } from "../mirage/mirage_schema.ts";
import type { ModelMap } from "../models/model_map.ts";
import type { NestedConventions } from "./nested_conventions.ts";
import type { RecordRef } from "./record_ref.ts";

/** What a write needs of the two schemas. */
export interface WriteContext {
  /** Mirage's schema: the database and the associations of its models. */
  readonly mirageSchema: MirageSchema;
  /** The models of the GraphQL types. */
  readonly models: ModelMap;
  /** The schema that defines which types a polymorphic relation can have. */
  readonly graphQLSchema: GraphQLSchema;
  /** How to interpret what the GraphQL schema alone doesn't define; strict by default. */
  readonly conventions?: ResolvedConventions;
  /** What inputs may have beyond ids, plain values and nested objects; nothing if it is left out. */
  readonly nested?: NestedConventions | undefined;
  /** What new records get beyond what they were given; nothing if it is left out. */
  readonly completion?: Completion | undefined;
  /** Writes what follows from a transaction; nothing if it is left out. */
  readonly follow?: Follow | undefined;
}

/** Writes what follows from the writes of a transaction. */
export type Follow = (writes: FollowedWrites) => void;

/** What a transaction has written, and how to write more. */
export interface FollowedWrites {
  /** The records that it has created or changed, in order; one may be there several times. */
  readonly touched: readonly TouchedRecord[];
  /** The record, read only: its lists belong to the database; `undefined` if there is none. */
  find(ref: RecordRef): Readonly<MirageRecord> | undefined;
  /** The records of a model that pass the test; it must not change them. */
  select(modelName: string, fits: (record: MirageRecord) => boolean): RecordRef[];
  /** Sets attributes of a record. */
  change(ref: RecordRef, attributes: MirageRecord): void;
}

/** A record that a transaction has created or changed. */
export interface TouchedRecord {
  readonly ref: RecordRef;
  /** The record before; `undefined` if it is new. */
  readonly old: MirageRecord | undefined;
  /** The attributes and foreign keys that were written, without those that completed it. */
  readonly attributes: MirageRecord;
}

/** What new records get beyond what they were given. */
export interface Completion {
  /** Adds the attributes that a record lacks before it is created. */
  attributes(modelName: string, given: MirageRecord): MirageRecord;
  /** The records that a new record is to be linked to. */
  links(owner: RecordRef): readonly CompletionLink[];
}

/** A record that an association without a record may lead to. */
export interface CompletionLink {
  readonly association: MirageAssociation;
  readonly target: RecordRef;
}

/** The GraphQL name of a model's type, for messages; Mirage's name if there is no such type. */
export function labelOfModel(context: WriteContext, modelName: string): string {
  return context.models.ofModel(modelName)?.typeName ?? modelName;
}

/**
 * `NOT_FOUND`: the record to change doesn't exist; `BAD_USER_INPUT`: the arguments don't fit;
 * `CONDITIONAL_CHECK_FAILED`: the record doesn't meet the condition of the call; `UNAUTHENTICATED`: a
 * login fits no user.
 */
export type WriteErrorCode =
  | "NOT_FOUND"
  | "BAD_USER_INPUT"
  | "CONDITIONAL_CHECK_FAILED"
  | "UNAUTHENTICATED";

/** The error of a rejected write, with its code in `extensions.code`. */
export function writeError(
  message: string,
  options: { readonly code?: WriteErrorCode; readonly cause?: unknown } = {},
): GraphQLError {
  const { code = "BAD_USER_INPUT", cause } = options;
  const originalError = cause instanceof Error ? cause : undefined;
  return new GraphQLError(message, { extensions: { code }, originalError });
}
