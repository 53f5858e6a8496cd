import type { Member, MemberReader } from "./targets.ts";
import type { SortKey } from "./sort_key.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { idFormatOf } from "../orm/records/record_ids.ts";
import { type Item, readAttribute, readIdForms, readIds, readTargets } from "./equality.ts";
import { createFollow, type Follow, modelOf } from "../orm/records/related.ts";
import { toArray } from "../orm/records/record_store.ts";
import { isObject } from "../shared/values.ts";

/** The model of the record whose id a member contains; a list has its ids in both forms. */
function idModel(orm: Orm, item: Item, { name, isList }: Member): MockModel | undefined {
  const { model } = item;
  if (name === "id" || isList) return isList ? undefined : model;
  const isKey = model && relationNamed(model, name) !== undefined;
  return isKey ? readTargets(orm, item, name)[0]?.model : undefined;
}

/** Reads the members of records for filters and orders. */
export function createMemberReader(orm: Orm): MemberReader {
  const isGlobal = idFormatOf(orm) !== "local";
  const follows = new Map<Relation, Follow>();
  const follow = (relation: Relation): Follow => {
    const known = follows.get(relation) ?? createFollow(orm, relation);
    follows.set(relation, known);
    return known;
  };
  const readers: MemberReader = {
    value(item, { kind, name, isList, counted }) {
      if (counted !== undefined) {
        return readAttribute(orm, item, name) ?? readers.related(item, counted).length;
      }
      const isKey = isGlobal && item.model && relationNamed(item.model, name) !== undefined;
      if (kind === "attribute" && !isKey) return readAttribute(orm, item, name);
      if (isList) return isGlobal ? readIdForms(orm, item, name) : readIds(orm, item, name);
      return readIds(orm, item, name)[0];
    },
    typeOfIds: isGlobal ? (item, member) => idModel(orm, item, member)?.typeName : undefined,
    related({ value, model }, { name }) {
      if (!isObject(value)) return [];
      const relation = model?.relations.get(name);
      const held = relation === undefined || value[relation.foreignKey] === undefined
        ? value[name]
        : follow(relation)(value[relation.foreignKey]);
      const list = toArray(held) ?? (isObject(held) ? [held] : []);
      return list.map((one) => ({ value: one, model: modelOf(orm, one) }));
    },
  };
  return readers;
}

/** The value by which a record is sorted; of several related records the first one counts. */
export function sortValue(reader: MemberReader, item: Item, key: SortKey): unknown {
  const { path, isCount } = key;
  const last = path.at(-1);
  let current: Item | undefined = item;
  for (const member of path.slice(0, -1)) {
    current = current && reader.related(current, member)[0];
  }
  if (current === undefined || last === undefined) return undefined;
  return isCount ? reader.related(current, last).length : readLast(reader, current, last);
}

/** A relation to one record is compared by its id. */
function readLast(reader: MemberReader, item: Item, member: Member): unknown {
  const value = reader.value(item, member);
  return Array.isArray(value) ? value[0] : value;
}
