import { getNamedType, isInputObjectType, isNonNullType } from "graphql";
import type { MockModel, Relation } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { RecordRef } from "../../orm/writes/record_ref.ts";
import { writeError } from "../../orm/writes/write_context.ts";
import type { RecordWrite } from "../../orm/writes/write_records.ts";
import { isList } from "../../schema/types.ts";
import { keyOf } from "../../shared/names.ts";
import { isGiven, isObject } from "../../shared/values.ts";
import { longest } from "../mutation_name.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { NO_ITEM, type Values } from "../write_intent.ts";
import type { RecordChange } from "./record_change.ts";
import { findReferred } from "./references.ts";
import { type InputLeaf, inputsOf } from "../mutation_input.ts";

/** What goes, and what stays, in the names of arguments without those of the model and `id`. */
const SOURCE = /^(sources?|from|others?|duplicates?|merged?|loser)$/;
const DESTINATION = /^(destination|target|into|to|keep|primary|main|winner|canonical)$/;

/**
 * What a mutation does that merges records, `tagsMerge(source: [2, 3], destination: 1)`: whatever
 * leads to the sources leads to the destination, which gets the values that are given, and the
 * sources are deleted.
 */
export function mergeChange(
  orm: Orm,
  { field, names, refuse }: TypedField,
): RecordChange | undefined {
  const words = names.split(field.name);
  const model = words.includes("merge") ? longest(names.mentions(words))?.model : undefined;
  if (model === undefined) return undefined;
  const inputs = inputsOf(field.args);
  const named = (pattern: RegExp) => inputs.filter(({ name }) => pattern.test(roleOf(model, name)));
  const [source, ...sources] = named(SOURCE);
  const [destination, ...destinations] = named(DESTINATION);
  if (source === undefined || destination === undefined || isList(destination.type)) {
    return undefined;
  }
  const values = inputs.find(({ name, type }) =>
    name === "values" && isInputObjectType(getNamedType(type)) && !isList(type)
  );
  const unread = inputs.filter((one) => ![source, destination, values].includes(one));
  const isLenient = orm.conventions.unknownArguments === "ignore";
  const isUnclear = sources.length + destinations.length > 0 ||
    unread.some(({ type }) => isNonNullType(type));
  if (isUnclear) return undefined;
  const refsOf = ({ path }: InputLeaf, args: Values) =>
    findReferred(orm, [{ model, key: "id" }], read(args, path), "merge");
  const intent: RecordChange["intent"] = {
    ...{ action: "update", models: [model], isPartial: false, refuse },
    read(args) {
      const [kept] = refsOf(destination, args);
      const merged = refsOf(source, args).map(({ id }) => id);
      if (kept === undefined) throw refuse(`needs the id of the ${model.typeName} to keep`);
      if (merged.includes(kept.id)) {
        const state = "it is both merged and kept";
        throw writeError(`Cannot merge ${model.typeName} "${kept.id}": ${state}`);
      }
      const extra = unread.find(({ path }) => isGiven(read(args, path)));
      const reason = `takes "${extra?.name}", which no rule reads`;
      if (extra !== undefined && !isLenient) throw refuse(reason);
      if (extra !== undefined) orm.warnOnce(`The mock merges without it: ${field.name} ${reason}`);
      const given = values && read(args, values.path);
      const { id: _, ...own } = isObject(given) ? given : {};
      return [{ ...NO_ITEM, keys: { id: kept.id, merged }, values: own }];
    },
    find: ({ keys: { id } }) => [{ model, ref: { modelName: model.modelName, id: String(id) } }],
    after: ({ keys: { merged } }, ref) => relinked(orm, model, new Set(toList(merged)), ref),
    removed: ({ keys: { merged } }) =>
      toList(merged).map((id) => ({ modelName: model.modelName, id })),
  };
  return { model, intent };
}

/** A name without that of the model and `id`: `source` for `sourceTagIds`. */
function roleOf({ typeName }: MockModel, name: string): string {
  return keyOf(name).replace(/(?<=.)ids?$/, "").replace(keyOf(typeName), "");
}

function toList(ids: unknown): readonly string[] {
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** Writes that make everything that leads to some records of a model lead to another one. */
function relinked(
  orm: Orm,
  model: MockModel,
  merged: ReadonlySet<string>,
  { id: kept }: RecordRef,
): readonly RecordWrite[] {
  const isMerged = (id: unknown) => merged.has(String(id));
  return orm.models.models.flatMap((owner) =>
    relationsInto(owner, model).flatMap(({ name, foreignKey, isList }) =>
      orm.store.of(owner).select(({ id, [foreignKey]: key }) =>
        (owner !== model || !isMerged(id)) && (Array.isArray(key) ? key : [key]).some(isMerged)
      ).map(({ id, [foreignKey]: key }): RecordWrite => {
        const held: readonly unknown[] = Array.isArray(key) ? key : [];
        const ids = new Set(held.map((one) => isMerged(one) ? kept : String(one)));
        // no record is its own parent
        if (owner === model) ids.delete(String(id));
        const existing = { modelName: owner.modelName, id: String(id) };
        const input = isList ? { [name]: [...ids] } : { [foreignKey]: kept };
        return { modelName: owner.modelName, existing, input };
      })
    )
  );
}

/** The relations that lead to a model; of those with itself the first, whose inverse follows it. */
function relationsInto({ relations, modelName }: MockModel, model: MockModel): Relation[] {
  const found = [...relations.values()].filter((one) => one.modelName === model.modelName);
  return modelName === model.modelName ? found.slice(0, 1) : found;
}
