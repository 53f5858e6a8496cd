import { getNamedType, type GraphQLField, type GraphQLOutputType, isLeafType } from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { fieldsOf, isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { longest } from "../mutation_name.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { type Answer, NO_ITEM, type WriteIntent } from "../write_intent.ts";
import { findReferred, keyNamed } from "./references.ts";
import { leavesOf } from "../mutation_input.ts";

/** By how much a word changes a number; `NaN` is back to zero. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ increment: 1, increase: 1, decrement: -1, decrease: -1, reset: NaN },
  // only with a history: `addImage` says more than to count one
  ...{ add: 1, delete: -1, remove: -1 },
};
const ALONE = /^(in|de)cre|^reset$/;

/**
 * What a mutation does to the number that its name says: `incrementPostViews(id): Int!` adds one to
 * the `views`, `viewCount` or `view_counter` of a post, and returns it or the post. A list of times
 * beside it, such as `view_history`, follows, and `postAddView(id, times): { count history }` returns
 * both.
 */
export function counterChange(
  orm: Orm,
  { field, names, refuse }: TypedField,
): WriteIntent | undefined {
  const words = names.split(field.name);
  const mention = longest(names.mentions(words));
  const verb = words.find((word) => STEPS[word] !== undefined);
  if (verb === undefined || mention === undefined) return undefined;
  const { model } = mention;
  const rest = words.toSpliced(mention.start, mention.end - mention.start)
    .filter((word) => word !== verb);
  const counter = counterOf(orm, model, rest);
  const [leaf, times, ...others] = leavesOf(field.args)
    .toSorted((one, other) => Number(isList(one.type)) - Number(isList(other.type)));
  const isOwn = leaf !== undefined && others.length === 0 &&
    (leaf.name === "id" || keyNamed(orm, model, leaf.name) === "id");
  if (counter === undefined || !isOwn || isList(field.type)) return undefined;
  const { count, history } = counter;
  const answer = counterAnswer(field.type, model, counter);
  const isTimed = times === undefined || isList(times.type) && history !== undefined;
  if (answer === undefined || !isTimed) return undefined;
  if (!ALONE.test(verb) && (history === undefined || isLeafType(getNamedType(field.type)))) {
    return undefined;
  }
  const step = STEPS[verb] ?? 0;
  return {
    ...{ action: "update", models: [model], isPartial: false, refuse, answer },
    read(args) {
      const given = times && read(args, times.path);
      return [{
        ...NO_ITEM,
        keys: { id: read(args, leaf.path), times: Array.isArray(given) ? given : [] },
        changes: [["set", {}]],
      }];
    },
    find: ({ keys }) =>
      findReferred(orm, [{ model, key: "id" }], keys.id, "update").map((ref) => ({ model, ref })),
    changed({ keys }, record) {
      const given: readonly unknown[] = Array.isArray(keys.times) ? keys.times : [];
      const before = record[history?.name ?? ""];
      const was: readonly unknown[] = Array.isArray(before) ? before : [];
      const is = historyAfter(was, step, given);
      const size = given.length > 0 ? Math.abs(is.length - was.length) : 1;
      const number = Math.max(0, Number(record[count] ?? 0) + step * size);
      const values = { [count]: Number.isNaN(step) ? 0 : number };
      return history === undefined ? values : { ...values, [history.name]: is };
    },
  };
}

/** A list of times after some are added, or the last or the given ones are removed. */
function historyAfter(
  old: readonly unknown[],
  step: number,
  given: readonly unknown[],
): readonly unknown[] {
  if (step > 0) return [...old, ...given.length > 0 ? given : [new Date().toISOString()]];
  if (Number.isNaN(step)) return [];
  return given.length > 0 ? old.filter((time) => !given.includes(time)) : old.slice(0, -1);
}

/** A number of a record, and the times that it counts. */
interface Counter {
  readonly count: string;
  readonly history: GraphQLField<unknown, unknown> | undefined;
}

/** The number, the record, or an object with the number and the times. */
function counterAnswer(
  type: GraphQLOutputType,
  { typeName }: MockModel,
  { count, history }: Counter,
): Answer | undefined {
  const named = getNamedType(type);
  if (named.name === "Int") return ({ values: [value] }) => Object(value)[count] as unknown;
  if (named.name === typeName) return ({ values: [value] }) => value;
  const fields = fieldsOf(named);
  const parts = fields.map((field) => {
    const inner = getNamedType(field.type);
    if (inner.name === "Int" && !isList(field.type)) return [field.name, count] as const;
    const isHistory = history !== undefined && isList(field.type) &&
      inner === getNamedType(history.type);
    return isHistory ? [field.name, history.name] as const : undefined;
  }).filter((part) => part !== undefined);
  if (parts.length !== 2 || fields.length !== 2) return undefined;
  return ({ values: [value] }) =>
    Object.fromEntries(parts.map(([name, from]) => [name, Object(value)[from] as unknown]));
}

/** The number that some words name, with or without `count` or `counter`, and its times. */
function counterOf(
  { graphQLSchema }: Orm,
  { typeName }: MockModel,
  words: readonly string[],
): Counter | undefined {
  const fields = fieldsOf(graphQLSchema.getType(typeName));
  const key = words.join("").replace(/(count|counter)$/, "");
  const found = fields.filter(({ name, type }) =>
    getNamedType(type).name === "Int" && !isList(type) &&
    [key, key.replace(/s$/, "")].includes(
      keyOf(wordsOf(name).join("")).replace(/(?<=.)(count|counter)$/, ""),
    )
  );
  const [only, ...others] = key === "" ? [] : found;
  if (only === undefined || others.length > 0) return undefined;
  const history = fields.find(({ name, type }) =>
    isList(type) && isLeafType(getNamedType(type)) && keyOf(name) === `${key}history`
  );
  return { count: only.name, history };
}
