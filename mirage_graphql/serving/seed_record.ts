import type { MockModel, Relation } from "../orm/models/model_map.ts";

/** A record that is to be created, with where it was found. */
export interface SeedRecord {
  readonly model: MockModel;
  /** Its attributes, an `id` among them where it has one already. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly SeedLink[];
  /** Such as `people[0].posts[1]`. */
  readonly path: string;
}

/** What one relation of a record is to lead to. */
export interface SeedLink {
  readonly relation: Relation;
  readonly targets: readonly SeedTarget[];
  readonly path: string;
}

/** Another record that is to be created, or one by its id, with its type where that may vary. */
export type SeedTarget = SeedRecord | { readonly id: string; readonly type?: string };

/** Tells records that are to be created. */
export function isSeedRecord(target: SeedTarget): target is SeedRecord {
  return "model" in target;
}
