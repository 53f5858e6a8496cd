import { getNamedType, isObjectType } from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { longest } from "../mutation_name.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { NO_ITEM, type WriteIntent } from "../write_intent.ts";
import { findReferred, keyNamed, leavesOf } from "./references.ts";

/** What a word does to a number. */
const STEPS: Readonly<Record<string, (value: number) => number>> = {
  increment: (value) => value + 1,
  increase: (value) => value + 1,
  decrement: (value) => Math.max(0, value - 1),
  decrease: (value) => Math.max(0, value - 1),
  reset: () => 0,
};

/**
 * What a mutation does to the number that its name says: `incrementPostViews(id): Int!` adds one to
 * the `views`, `viewCount` or `view_counter` of a post, and returns it or the post.
 */
export function counterChange(
  orm: Orm,
  { field, names, refuse }: TypedField,
): WriteIntent | undefined {
  const words = names.split(field.name);
  const mention = longest(names.mentions(words));
  const step = words.map((word) => STEPS[word]).find((one) => one !== undefined);
  if (step === undefined || mention === undefined) return undefined;
  const { model } = mention;
  const rest = words.toSpliced(mention.start, mention.end - mention.start)
    .filter((word) => STEPS[word] === undefined);
  const attribute = counterOf(orm, model, rest);
  const [leaf, ...others] = leavesOf(field.args);
  const isOwn = leaf !== undefined && others.length === 0 &&
    (leaf.name === "id" || keyNamed(orm, model, leaf.name) === "id");
  const named = getNamedType(field.type).name;
  if (attribute === undefined || !isOwn || isList(field.type)) return undefined;
  if (named !== "Int" && named !== model.typeName) return undefined;
  return {
    ...{ action: "update", models: [model], isPartial: false, refuse },
    answer: ({ values: [value] }) => named === "Int" ? Object(value)[attribute] as unknown : value,
    read: (args) => [{ ...NO_ITEM, keys: { id: read(args, leaf.path) }, changes: [["set", {}]] }],
    find: ({ keys }) =>
      findReferred(orm, [{ model, key: "id" }], keys.id, "update").map((ref) => ({ model, ref })),
    changed: (_item, record) => ({ [attribute]: step(Number(record[attribute] ?? 0)) }),
  };
}

/** The number that some words name, with or without `count` or `counter`. */
function counterOf(
  { graphQLSchema }: Orm,
  { typeName }: MockModel,
  words: readonly string[],
): string | undefined {
  const type = graphQLSchema.getType(typeName);
  const fields = Object.values(isObjectType(type) ? type.getFields() : {});
  const key = words.join("").replace(/(count|counter)$/, "");
  const found = fields.filter(({ name, type }) =>
    getNamedType(type).name === "Int" && !isList(type) &&
    [key, key.replace(/s$/, "")].includes(
      keyOf(wordsOf(name).join("")).replace(/(?<=.)(count|counter)$/, ""),
    )
  );
  const [only, ...others] = key === "" ? [] : found;
  return others.length === 0 ? only?.name : undefined;
}
