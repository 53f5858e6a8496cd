import type { MirageAssociation, MirageRecord } from "./mirage.ts";
import type { RecordRef } from "./writes/record_ref.ts";

/** One record to create or to update, with all that its input nests; checked, not yet written. */
export interface WritePlan {
  readonly modelName: string;
  /** The record to update; `undefined` creates one. */
  readonly existing: RecordRef | undefined;
  /** Attributes as the database shall hold them: copies, without foreign keys. */
  readonly attributes: MirageRecord;
  readonly links: readonly PlannedLink[];
}

/** What an association shall lead to: records that are there, and some still to write. */
export interface PlannedLink {
  readonly association: MirageAssociation;
  readonly targets: readonly (RecordRef | WritePlan)[];
}
