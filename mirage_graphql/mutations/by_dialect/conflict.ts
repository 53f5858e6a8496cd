import { isObjectType } from "graphql";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { type MockModel, relationNamed } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";

import { writeError } from "../../orm/writes/write_context.ts";
import type { ConflictResult, Values } from "../write_intent.ts";
import { createWhere, findRefs, type Matches, matchKeys } from "../../arguments/where.ts";
import { isObject } from "../../shared/values.ts";

/** What to do with a record that has the same key as a new one; `skip` does not change it. */
export type Conflict = Values | "skip";

/**
 * Creates a record, or updates the one that has the same values for the columns of a constraint, as
 * `on_conflict` of Hasura specifies.
 *
 * @throws {GraphQLError} If the columns of the constraint are unknown.
 */
export function resolveConflict(
  orm: Orm,
  model: MockModel,
  { input, conflict }: { readonly input: Values; readonly conflict: Conflict | undefined },
): ConflictResult {
  const creation = { existing: undefined, input };
  if (conflict === undefined) return creation;
  const { keys, updated, fits } = parseConflict(orm, model, conflict);
  const byKey = new Map(Object.entries(input).map(([name, value]) => [keyOf(name), value]));
  const keyValues = Object.fromEntries(keys.map((name) => [name, byKey.get(keyOf(name))]));
  if (Object.values(keyValues).some((value) => value === null || value === undefined)) {
    return creation;
  }
  const [existing] = findRefs(orm, model, [matchKeys(orm, model, keyValues)]);
  if (existing === undefined) return creation;
  const isKept = updated.length === 0 ||
    findRefs(orm, model, [matchKeys(orm, model, { id: existing.id }), fits]).length === 0;
  if (isKept) return { existing, input: undefined };
  const written = new Set(updated.map(keyOf));
  const given = Object.entries(input).filter(([name]) => written.has(keyOf(name)) && name !== "id");
  return { existing, input: Object.fromEntries(given) };
}

interface ConflictRule {
  /** The attributes with the same values. */
  readonly keys: readonly string[];
  /** The attributes to update. */
  readonly updated: readonly string[];
  readonly fits: Matches;
}

function parseConflict(orm: Orm, model: MockModel, conflict: Conflict): ConflictRule {
  if (conflict === "skip") return { keys: ["id"], updated: [], fits: () => true };
  const entries = new Map(Object.entries(conflict).map(([name, value]) => [keyOf(name), value]));
  const { constraint, updatecolumns = [], where, ...others } = Object.fromEntries(entries);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse(model, `it has "${unknown}", which no rule reads`);
  const keys = columnsOf(orm, model, String(constraint));
  if (keys === undefined) {
    const example = `${model.collectionName}_pkey, or ${model.collectionName}_slug_key for "slug"`;
    throw refuse(
      model,
      `nothing says which attributes "${constraint}" is about, as does ${example}`,
    );
  }
  return {
    keys,
    updated: (Array.isArray(updatecolumns) ? updatecolumns : [updatecolumns]).map(String),
    fits: isObject(where) ? createWhere(orm, model)({ where }) : () => true,
  };
}

function refuse({ typeName }: MockModel, state: string): Error {
  return writeError(`Cannot create ${typeName} on a conflict: ${state}`);
}

/**
 * The attributes of a constraint by the names that PostgreSQL gives: `posts_pkey` refers to the id,
 * `posts_author_id_slug_key` to two attributes.
 */
function columnsOf(
  { graphQLSchema }: Orm,
  model: MockModel,
  constraint: string,
): readonly string[] | undefined {
  const words = wordsOf(constraint);
  if (/^(pkey|primary|pk|id)$/.test(words.at(-1) ?? "")) return ["id"];
  const type = graphQLSchema.getType(model.typeName);
  const fields = isObjectType(type) ? Object.keys(type.getFields()) : [];
  const foreignKeys = [...model.relations.values()].map(({ foreignKey }) => foreignKey);
  const names = new Map([...fields, ...foreignKeys].map((name) => [keyOf(name), name]));
  const columns: string[] = [];
  let end = words.length - (/^(key|unique|uniq|uk|idx|index)$/.test(words.at(-1) ?? "") ? 1 : 0);
  while (end > 0) {
    const start = words.findIndex((_, index) =>
      index < end && names.has(words.slice(index, end).join(""))
    );
    if (start === -1) break;
    columns.unshift(names.get(words.slice(start, end).join(""))!);
    end = start;
  }
  const isKnown = columns.every((name) =>
    relationNamed(model, name) === undefined || name !== relationNamed(model, name)?.name
  );
  return columns.length > 0 && isKnown ? columns : undefined;
}
