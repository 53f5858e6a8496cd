import type { MirageAssociation, MirageRecord } from "../mirage/mirage_schema.ts";
import type { RecordRef } from "./record_ref.ts";

/** One record to create or update, with all nested writes; validated, not yet written. */
export interface WritePlan {
  readonly modelName: string;
  /** The record to update; `undefined` creates one. */
  readonly existing: RecordRef | undefined;
  /** Attributes to store: copies, without foreign keys. */
  readonly attributes: MirageRecord;
  readonly links: readonly PlannedLink[];
}

/** The targets of an association: existing records, and some that are still to be written. */
export interface PlannedLink {
  readonly association: MirageAssociation;
  readonly targets: readonly (RecordRef | WritePlan)[];
  /** Records to delete after everything else is written. */
  readonly removed?: readonly RecordRef[];
}

/** The values of an input object, by field name. */
export type WriteInput = Readonly<Record<string, unknown>>;

/** The relation that is written, the record that has it, and how to write the records it leads to. */
export interface NestedOwner {
  readonly association: MirageAssociation;
  /** The record; `undefined` if it is created. */
  readonly existing: RecordRef | undefined;
  /** Plans a related record to create. */
  readonly planCreate: (input: WriteInput) => WritePlan;
  /** Plans the update of a related record. */
  readonly planUpdate: (ref: RecordRef, input: WriteInput) => WritePlan;
}

/** A value that an input has for an attribute. */
export interface GivenValue {
  /** Name of the GraphQL type that has the attribute. */
  readonly typeName: string;
  readonly name: string;
  readonly value: unknown;
}

/** What inputs may contain in addition to ids, plain values and nested objects. */
export interface NestedConventions {
  /**
   * What a relation leads to after operations such as `{ connect: { id: 1 } }`; `undefined` if a
   * value has none.
   */
  planLink(owner: NestedOwner, value: unknown): Omit<PlannedLink, "association"> | undefined;
  /**
   * The inputs of the records that such operations create and update; `undefined` if a value has
   * none.
   */
  inputsOf(typeName: string, value: unknown): readonly unknown[] | undefined;
  /** The value to store for what an input has, such as `{ increment: 1 }` to add to the `old` one. */
  valueOf(given: GivenValue, old: unknown): unknown;
}
