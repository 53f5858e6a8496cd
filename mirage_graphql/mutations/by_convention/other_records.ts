import type { GraphQLField } from "graphql";
import type { MirageRecord } from "../../orm/mirage/mirage_schema.ts";
import { type MockModel, type Relation, relationsTo } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { findRecord, type RecordRef } from "../../orm/writes/record_ref.ts";
import { keyOf } from "../../shared/names.ts";
import { isGiven } from "../../shared/values.ts";
import { read } from "../typed_intent.ts";
import type { FindOther, RecordResult } from "../write_intent.ts";
import { currentRecord } from "./current_record.ts";
import { parentArguments } from "./parents.ts";
import { findReferred, keyNamed } from "./references.ts";
import { leavesOf } from "../mutation_input.ts";

/** The records of other models than the written one that an answer may have. */
export interface OtherRecords {
  /** Whether a call, or what it writes, can lead to a record of a type. */
  leadsTo(typeName: string): boolean;
  readonly find: FindOther;
}

/** One way to another record. */
type Way = (...call: Parameters<FindOther>) => RecordRef | undefined;

/**
 * Finds what an answer has besides the written record, without making anything up: what an id of
 * the call refers to, else what the record belongs to, else what belongs to whoever calls.
 */
export function otherRecords(
  orm: Orm,
  field: GraphQLField<unknown, unknown>,
  models: readonly MockModel[],
): OtherRecords {
  const known = new Map<string, readonly Way[]>();
  const waysTo = (typeName: string) => {
    const other = orm.models.ofType(typeName);
    const ways = known.get(typeName) ??
      (other === undefined ? [] : [
        ...waysByArgument(orm, field.args, other),
        ...models.flatMap((model) => waysByRelation(orm, model, other)),
        ...waysByCaller(orm, other),
      ]);
    known.set(typeName, ways);
    return ways;
  };
  return {
    leadsTo: (typeName) => waysTo(typeName).length > 0,
    find(name, written) {
      const isType = orm.models.ofType(name) !== undefined;
      for (const way of isType ? waysTo(name) : waysByParent(orm, field, models)) {
        const ref = way(name, written);
        const record = ref && findRecord(orm.mirageSchema, ref);
        const model = ref && orm.models.ofModel(ref.modelName);
        if (record !== undefined && model !== undefined) return { model, record };
      }
      return undefined;
    },
  };
}

function waysByArgument(
  orm: Orm,
  args: GraphQLField<unknown, unknown>["args"],
  model: MockModel,
): readonly Way[] {
  return leavesOf(args).flatMap(({ name, path }): readonly Way[] => {
    const key = keyNamed(orm, model, name);
    if (key === undefined) return [];
    return [(_name, { args: call }) => {
      const value = read(call, path);
      return isGiven(value) ? findReferred(orm, [{ model, key }], value)[0] : undefined;
    }];
  });
}

/** What a created record belongs to: the `subject` of a comment by its `subjectId`. */
function waysByParent(
  orm: Orm,
  field: GraphQLField<unknown, unknown>,
  models: readonly MockModel[],
): readonly Way[] {
  return models.slice(0, 1).flatMap((model) => parentArguments(orm, field, model)).map(
    ({ leaf, references }): Way => (name, { args }) => {
      const value = keyOf(leaf.name) === keyOf(`${name}Id`) ? read(args, leaf.path) : undefined;
      return isGiven(value) ? findReferred(orm, references, value)[0] : undefined;
    },
  );
}

/** The record that a relation of the written one leads to, or one with a list that has it. */
function waysByRelation(orm: Orm, model: MockModel, other: MockModel): readonly Way[] {
  const [single, ...singles] = relationsTo(model, other).filter(({ isList }) => !isList);
  const lists = relationsTo(other, model).filter(({ isList }) => isList);
  const own: readonly Way[] = single === undefined || singles.length > 0 ? [] : [
    (_name, { first }) =>
      firstOf(
        first,
        model,
        ({ [single.foreignKey]: id }) =>
          isGiven(id) ? { modelName: other.modelName, id: String(id) } : undefined,
      ),
  ];
  return [
    ...own,
    ...lists.map((list): Way => (_name, { first }) =>
      firstOf(first, model, (record) => holderOf(orm, other, list, record))
    ),
  ];
}

function firstOf(
  first: RecordResult | undefined,
  model: MockModel,
  find: (record: MirageRecord) => RecordRef | undefined,
): RecordRef | undefined {
  return first?.model === model ? find(first.record) : undefined;
}

function holderOf(
  { store }: Orm,
  model: MockModel,
  { foreignKey }: Relation,
  record: MirageRecord,
): RecordRef | undefined {
  const id = String(record.id);
  const holder = store.of(model).first((one) => {
    const ids = one[foreignKey];
    return Array.isArray(ids) && ids.some((held) => String(held) === id);
  });
  return holder && { modelName: model.modelName, id: String(holder.id) };
}

function waysByCaller(orm: Orm, model: MockModel): readonly Way[] {
  const current = currentRecord(orm, model);
  if (current === undefined) return [];
  return [(_name, { call }) => {
    const id = current.idFor(call);
    return id === undefined ? undefined : { modelName: model.modelName, id };
  }];
}
