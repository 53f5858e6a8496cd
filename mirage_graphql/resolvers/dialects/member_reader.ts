import type { MemberReader } from "../../conventions/filter.ts";
import type { SortKey } from "../../conventions/sort_key.ts";
import type { Member } from "../../conventions/targets.ts";
import { isObject } from "../../orm/mirage.ts";
import type { Relation } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { type Item, readAttribute, readIds } from "../list_item.ts";
import { createFollow, type Follow, modelOf, toArray } from "../source.ts";

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
