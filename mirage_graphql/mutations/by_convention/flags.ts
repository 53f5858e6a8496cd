import { getNamedType, type GraphQLField, isEnumType, isNonNullType } from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { fieldsOf, isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { stemOf } from "../../shared/word_stem.ts";
import type { MutationWords } from "../mutation_name.ts";
import type { Values } from "../write_intent.ts";

type Field = GraphQLField<unknown, unknown>;

/** What a verb does to the state of a record: the values that it has afterwards. */
export type FlagChange = (record: Values) => Values;

/** A verb whose state a record may have, and whether the mutation sets or ends that. */
interface FlagVerb {
  readonly stem: string;
  readonly isOn: boolean | "toggle";
  /** Whether a number alone is no such state: `addImage` says more than to count one. */
  readonly needsState?: boolean;
}

/**
 * Plans what a mutation does to the state that its verb names, going by the fields of the type:
 * `starPost` sets `viewerHasStarred` and adds one to `starsCount`, `closeIssue` sets `closed`,
 * `state: CLOSED` and `closedAt`, and `unstar`, `reopen` or `toggle` do the reverse. `undefined` if
 * the type has no such state.
 *
 * @param own The words of the mutation's name without those of the model.
 */
export function flagChange(
  { graphQLSchema }: Pick<Orm, "graphQLSchema">,
  { typeName }: MockModel,
  own: readonly string[],
  words: MutationWords,
): FlagChange | undefined {
  const fields = fieldsOf(graphQLSchema.getType(typeName))
    .filter(({ args, type }) => args.length === 0 && !isList(type));
  const changes = verbsIn(own, words).flatMap((verb) => changeOf(fields, verb) ?? []);
  if (changes.length === 0) {
    return voteChange(fields, own) ?? toggleChange(fields, own) ?? resetChange(fields, own);
  }
  return (record) => Object.assign({}, ...changes.toReversed().map((change) => change(record)));
}

/** The verbs that a name may mean; what the first one says counts most. */
export function verbsIn(own: readonly string[], words: MutationWords): readonly FlagVerb[] {
  const [first = "", ...rest] = own;
  const [second = "", ...more] = rest.filter((word) =>
    !/^(as|an?|is|the|to|[a-z]+able)$/.test(word)
  );
  const verb = words.verbs.get(first);
  if (more.length > 0) return [];
  if (second !== "") {
    if (first === "toggle") return [{ stem: stemOf(second), isOn: "toggle" }];
    if (first === "mark") return single(second, words);
    if (verb === "create") return [{ stem: stemOf(second), isOn: true, needsState: true }];
    return verb === "delete" ? [{ stem: stemOf(second), isOn: false, needsState: true }] : [];
  }
  return first === "" ? [] : single(first, words);
}

function single(verb: string, words: MutationWords): readonly FlagVerb[] {
  const positive = /^un(.{3,})$/.exec(verb)?.[1];
  const repeated = /^re(.{3,})$/.exec(verb)?.[1];
  const undone = [...positive === undefined ? [] : [positive], ...words.undone(verb)];
  return [
    { stem: stemOf(verb), isOn: true },
    ...repeated === undefined ? [] : [{ stem: stemOf(repeated), isOn: true, needsState: true }],
    ...undone.map((one) => ({ stem: stemOf(one), isOn: false })),
  ];
}

/** Words of a Boolean's name around that of the state; `canClose` says something different. */
const AROUND_FLAG = /^(viewer|current|user|has|did|is|was|are|been|by|i|me|my|you|already)$/;
const AROUND_COUNT = /^(total|count|number|num|of)$/;
const AROUND_TIME = /^(at|on|date|time|datetime)$/;

function changeOf(
  fields: readonly Field[],
  { stem, isOn, needsState = isOn === "toggle" }: FlagVerb,
): FlagChange | undefined {
  const flags = fields.filter(({ type }) => getNamedType(type).name === "Boolean")
    .filter(({ name }) => isAbout(name, stem, AROUND_FLAG));
  const states = fields.flatMap((field) => stateOf(field, stem, isOn !== false));
  const counts = fields.filter(({ type }) => getNamedType(type).name === "Int")
    .filter(({ name }) => isAbout(name, stem, AROUND_COUNT));
  const times = fields.filter(({ name, type }) =>
    !/^(Int|Float|Boolean|ID)$/.test(getNamedType(type).name) &&
    wordsOf(name).some((word) => AROUND_TIME.test(word)) && isAbout(name, stem, AROUND_TIME)
  );
  if (flags.length + states.length + counts.length + times.length === 0) return undefined;
  if (needsState && flags.length + states.length === 0) return undefined;
  if (isOn === "toggle" && flags.length === 0) return undefined;
  return (record) => {
    const was = flags.length > 0 ? record[flags[0]!.name] === true : undefined;
    const isSet = isOn === "toggle" ? was !== true : isOn;
    const step = was === isSet ? 0 : isSet ? 1 : -1;
    return Object.fromEntries([
      ...flags.map(({ name }) => [name, isSet]),
      ...states,
      ...counts.map(({ name }) => [name, Math.max(0, Number(record[name] ?? 0) + step)]),
      ...times.filter(({ type }) => isSet || !isNonNullType(type))
        .map(({ name }) => [name, isSet ? new Date().toISOString() : null]),
    ]);
  };
}

/** The value of an enum that a verb leads to: `CLOSED` for `close`, and what is not that for `un`. */
function stateOf(
  { name, type }: Field,
  stem: string,
  isOn: boolean,
): (readonly [name: string, value: unknown])[] {
  const named = getNamedType(type);
  if (!isEnumType(named)) return [];
  const values = named.getValues();
  const isStem = (text: string) => wordsOf(text).map(stemOf).join() === stem;
  const found = values.filter((value) => isStem(value.name));
  const [on, ...others] = found;
  if (on === undefined || others.length > 0) return [];
  if (isOn) return [[name, on.value]];
  const negative = values.filter((value) => isStem(value.name.replace(/^UN_?/i, "")));
  const rest = negative.filter((value) => value !== on);
  const [off, ...more] = rest.length > 0 ? rest : values.filter((value) => value !== on);
  return off === undefined || more.length > 0 ? [] : [[name, off.value]];
}

/** Whether a name is a stem with certain words around it. */
function isAbout(name: string, stem: string, around: RegExp): boolean {
  const words = wordsOf(name).filter((word) => !around.test(word));
  const [only, ...others] = words;
  return only !== undefined && others.length === 0 && stemOf(only) === stem;
}

/** `upvotePost` adds one to `upvotes` or `votes`, `downvotePost` subtracts one of `votes`. */
function voteChange(fields: readonly Field[], own: readonly string[]): FlagChange | undefined {
  const direction = /^(up|down)vote$/.exec(own.join(""))?.[1];
  const field = fields.find(({ name, type }) =>
    getNamedType(type).name === "Int" && isAbout(name, stemOf("vote"), AROUND_COUNT)
  );
  if (direction === undefined || field === undefined) return undefined;
  const step = direction === "up" ? 1 : -1;
  return ({ [field.name]: old }) => ({ [field.name]: Number(old ?? 0) + step });
}

/** `toggleTodo` reverses the only Boolean that a type has. */
function toggleChange(fields: readonly Field[], own: readonly string[]): FlagChange | undefined {
  const [only, ...others] = fields.filter(({ type }) => getNamedType(type).name === "Boolean");
  if (own.join() !== "toggle" || only === undefined || others.length > 0) return undefined;
  return ({ [only.name]: old }) => ({ [only.name]: old !== true });
}

/** `resetGalleryCover` leaves the `cover` null; a number that goes back to zero is a counter. */
function resetChange(
  fields: readonly Field[],
  [verb = "", ...part]: readonly string[],
): FlagChange | undefined {
  const field = fields.find(({ name }) => part.length > 0 && keyOf(name) === part.join(""));
  const isReset = /^(reset|clear|unset)$/.test(verb) && field !== undefined &&
    !isNonNullType(field.type) && !/^(Int|Float|Boolean)$/.test(String(field.type));
  return isReset ? () => ({ [field.name]: null }) : undefined;
}
