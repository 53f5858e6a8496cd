import type { MemberReader } from "../conventions/filter.ts";
import type { SortKey } from "../conventions/sort_key.ts";
import type { Member } from "../conventions/targets.ts";
import { isObject } from "../orm/mirage.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import { isMirageModel } from "../orm/mirage.ts";
import { createFollow, type Follow, foreignIds, modelOf, toArray } from "./source.ts";

/** A record of the database or of a source, and its model. */
export interface Item {
  readonly value: unknown;
  readonly model: MockModel | undefined;
}

/** Reads an attribute, or the getter of a user-defined model. */
export function readAttribute(
  orm: Orm,
  { value, model }: Item,
  name: string,
): unknown {
  if (!isObject(value)) return undefined;
  const isGetter = model?.getters.has(name) === true && !isMirageModel(value);
  return isGetter ? toMirageModel(orm, model, value)[name] : value[name];
}

/** The ids of a relation, named by itself or by its foreign key. */
export function readIds({ value, model }: Item, name: string): readonly unknown[] {
  if (!isObject(value)) return [];
  const relation = model && relationNamed(model, name);
  const own = relation && (value[relation.foreignKey] ?? value[relation.name]);
  const key = own ?? value[name];
  const list = isObject(key) && Array.isArray(key.models) ? key.models : foreignIds(key);
  return list.map((id) => isObject(id) ? id.id : id);
}

/** Reads the members of records for filters and orders. */
export function createMemberReader(orm: Orm): MemberReader<Item> {
  const follows = new Map<Relation, Follow>();
  const follow = (relation: Relation): Follow => {
    const known = follows.get(relation) ?? createFollow(orm, relation);
    follows.set(relation, known);
    return known;
  };
  return {
    value(item, { kind, name, isList }) {
      if (kind === "attribute") return readAttribute(orm, item, name);
      const ids = readIds(item, name);
      return isList ? ids : ids[0];
    },
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
}

/** What a record is sorted by; of several related records the first counts. */
export function sortValue(reader: MemberReader<Item>, item: Item, key: SortKey): unknown {
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
function readLast(reader: MemberReader<Item>, item: Item, member: Member): unknown {
  const value = reader.value(item, member);
  return Array.isArray(value) ? value[0] : value;
}
