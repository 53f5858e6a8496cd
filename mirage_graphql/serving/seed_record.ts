import type { MockModel, Relation } from "../orm/models/model_map.ts";

/** A record to create, with its position in the seed file. */
export interface SeedRecord {
  readonly model: MockModel;
  /** Its attributes, including an `id` if it has one. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly SeedLink[];
  /** Its path in the file, such as `people[0].posts[1]`. */
  readonly path: string;
}

/** The targets of one relation of a record. */
export interface SeedLink {
  readonly relation: Relation;
  readonly targets: readonly SeedTarget[];
  readonly path: string;
}

/** Another record to create, or an id, with the type if that may vary. */
export type SeedTarget = SeedRecord | { readonly id: string; readonly type?: string };

/** Whether a target is a record to create. */
export function isSeedRecord(target: SeedTarget): target is SeedRecord {
  return "model" in target;
}
