import type { ResolverCall } from "../../arguments/call.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { findRecord, type RecordRef } from "../../orm/writes/record_ref.ts";
import type { RecordWrite } from "../../orm/writes/write_records.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { stemOf } from "../../shared/word_stem.ts";
import type { MutationWords } from "../mutation_name.ts";
import type { RecordListRef, WriteItem } from "../write_intent.ts";
import { currentRecord } from "./current_record.ts";
import { verbsIn } from "./flags.ts";

/** The lists of whoever calls that a verb adds to or removes from. */
export interface ViewerLists {
  /** The lists of one call; none without a session. */
  of(call: ResolverCall | undefined): readonly RecordListRef[];
  /** The writes that add a record to an item's lists, or remove it. */
  write(item: WriteItem, ref: RecordRef): readonly RecordWrite[];
}

/** What somebody does for themselves; `closedIssues` may be of anybody. */
const PERSONAL = new Set(
  ["favorite", "favourite", "star", "like", "bookmark", "save", "follow", "watch", "subscribe"]
    .map(stemOf),
);

/** Words of a list's name around that of the verb, besides the model. */
const AROUND = /^(connection|list|viewer|my)$/;

/**
 * Finds the lists of whoever calls that have the name of a verb: `favoriteArticle` adds an article to
 * `favoriteArticles` or `favoritesConnection` of the `viewer`, and `unfavoriteArticle` removes it.
 *
 * @param own The words of the mutation's name without those of the model.
 */
export function viewerLists(
  orm: Orm,
  model: MockModel,
  own: readonly string[],
  words: MutationWords,
): ViewerLists {
  const verb = verbsIn(own, words)
    .find(({ stem, isOn }) => isOn !== "toggle" && PERSONAL.has(stem));
  const modelKeys = new Set([model.typeName, model.collectionName].map(keyOf));
  const isNamed = (name: string) => {
    const rest = wordsOf(name).filter((word) => !AROUND.test(word));
    const others = rest.filter((word) => stemOf(word) !== verb?.stem).join("");
    return rest.some((word) => stemOf(word) === verb?.stem) &&
      (others === "" || modelKeys.has(others));
  };
  const lists = verb === undefined ? [] : orm.models.models.flatMap((owner) => {
    const found = [...owner.relations.values()].filter(({ isList, modelName, name }) =>
      isList && modelName === model.modelName && isNamed(name)
    );
    const current = found.length > 0 ? currentRecord(orm, owner) : undefined;
    return current === undefined ? [] : found.map((relation) => ({ owner, relation, current }));
  });
  return {
    of: (call) =>
      lists.flatMap(({ owner: { modelName }, relation, current }) => {
        const id = current.idFor(call);
        return id === undefined ? [] : [{ owner: { modelName, id }, relation }];
      }),
    write: (item, ref) =>
      item.lists.map(({ owner, relation: { name, foreignKey } }) => {
        const ids = findRecord(orm.mirageSchema, owner)?.[foreignKey];
        const held: readonly unknown[] = Array.isArray(ids) ? ids : [];
        const others = held.filter((id) => String(id) !== ref.id);
        const added = others.length < held.length ? held : [...held, ref.id];
        const input = { [name]: verb?.isOn === true ? added : others };
        return { modelName: owner.modelName, existing: owner, input };
      }),
  };
}
