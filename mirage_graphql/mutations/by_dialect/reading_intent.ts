import { type GraphQLField, Kind, type ValueNode } from "graphql";
import { createGivenArguments, hasValue, type ResolverCall } from "../../arguments/call.ts";
import { createWhere, findRefs, type Matches, matchKeys } from "../../arguments/where.ts";
import type { WriteAction } from "../../dialects/dialect.ts";
import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { type WriteContext, writeError } from "../../orm/writes/write_context.ts";
import { wordsOf } from "../../shared/names.ts";
import { isObject } from "../../shared/values.ts";
import { type CurrentRecord, currentRecord } from "../by_convention/current_record.ts";
import { notFound, type Values, type WriteIntent, type WriteItem } from "../write_intent.ts";
import { type ArgumentReader, oneByOne } from "./argument_reader.ts";
import { resolveConflict } from "./conflict.ts";
import type { Changes } from "./value_changes.ts";

type Field = GraphQLField<unknown, unknown>;

/** What a mutation does whose arguments have roles. */
interface Reading
  extends Pick<WriteIntent, "action" | "isPartial" | "answer" | "other" | "refuse"> {
  readonly model: MockModel;
  readonly isBulk: boolean;
  readonly changes: Changes;
  readonly reader: ArgumentReader;
  /** Names of values that are not the record's: they refer to what its answer has. */
  readonly outside?: ReadonlySet<string>;
  /** Finds the record to update if no argument does. */
  readonly currentId?: CurrentRecord["idFor"] | undefined;
}

/** A mutation of one model whose arguments are read by their roles. */
export function readingIntent(
  orm: Orm & WriteContext,
  field: Field,
  { model, isBulk, reader, currentId, changes, outside = new Set(), ...intent }: Reading,
): WriteIntent {
  const given = createGivenArguments(field);
  return {
    ...intent,
    ...createFinder({ ...intent, orm, model, isBulk, changes }),
    models: [model],
    read(args, call) {
      if (call !== undefined && intent.action !== "create") checkVariables(field, call);
      const own = call === undefined || call.args === args ? call : { ...call, args };
      const items = reader.read(args, own === undefined ? args : given(own))
        .map((item) => withoutValues(item, outside));
      const id = currentId?.(call);
      return id === undefined ? items : items.map((item) => ({ ...item, keys: { id } }));
    },
  };
}

function withoutValues(item: WriteItem, names: ReadonlySet<string>): WriteItem {
  if (item.values === undefined || names.size === 0) return item;
  const values = Object.entries(item.values).filter(([name]) => !names.has(name));
  return { ...item, values: Object.fromEntries(values) };
}

/**
 * Finds the record that a mutation writes if no argument identifies it: `customerUpdate(input)`
 * updates the one that the root field `customer` returns. `undefined` unless there is such a field,
 * and the mutation is named after the model or that field.
 */
export function createCurrentId(
  orm: Orm,
  { name }: Field,
  model: MockModel,
): CurrentRecord["idFor"] | undefined {
  const current = currentRecord(orm, model);
  const words = wordsOf(name).join(" ");
  const isNamed = [model.typeName, current?.fieldName ?? model.typeName]
    .some((one) => words.includes(wordsOf(one).join(" ")));
  return isNamed ? current?.idFor : undefined;
}

/**
 * Rejects a `where` with a variable that has no value: graphql-js omits its field, and the rest
 * would match more than requested, possibly all records.
 */
function checkVariables(
  { name }: Field,
  { info }: Pick<ResolverCall, "info">,
): void {
  for (const argument of info.fieldNodes[0]?.arguments ?? []) {
    const missing = missingIn(argument.value, info.variableValues, isFinding(argument.name.value));
    if (missing === undefined) continue;
    throw writeError(
      `Cannot find the records of ${name}: the variable "${missing}" has no value, so that ` +
        "nothing would restrict them",
    );
  }
}

function isFinding(name: string): boolean {
  return wordsOf(name).some((word) => /^(where|filters?)$/.test(word));
}

/** The name of a variable without a value among the values that find records. */
function missingIn(value: ValueNode, variables: unknown, isInside: boolean): string | undefined {
  const children = value.kind === Kind.OBJECT
    ? value.fields.map((field) => [field.value, isInside || isFinding(field.name.value)] as const)
    : value.kind === Kind.LIST
    ? value.values.map((one) => [one, isInside] as const)
    : [];
  for (const [child, isFinder] of children) {
    if (isFinder && child.kind === Kind.VARIABLE && !hasValue(child, variables)) {
      return child.name.value;
    }
    const found = missingIn(child, variables, isFinder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The records that a mutation may write. */
interface RecordSubject {
  /** Matches records by a `where`. */
  readonly matchWhere: ReturnType<typeof createWhere>;
  readonly orm: Orm & WriteContext;
  readonly model: MockModel;
  readonly action: WriteAction;
  /** Whether it writes all records that it finds, rather than one. */
  readonly isBulk: boolean;
  readonly changes: Changes;
  /** Rejects a call; `reason` completes "it ...". */
  readonly refuse: (reason: string) => Error;
}

/** Finds records by keys and filters, and what conditions, conflicts and changes say about them. */
function createFinder(
  found: Omit<RecordSubject, "matchWhere">,
): Required<Pick<WriteIntent, "find" | "check" | "conflict" | "changed">> {
  const { orm, model, action, changes, refuse } = found;
  const matchWhere = createWhere(orm, model);
  const subject = { ...found, matchWhere };
  const toFound = (refs: ReturnType<typeof findRefs>) => refs.map((ref) => ({ model, ref }));
  return {
    find: (item) =>
      action === "upsert"
        ? toFound(upsertedRefs(subject, item))
        : toFound(writtenRefs(subject, item)),
    check(item, record) {
      for (const condition of item.conditions) {
        if (matchWhere(condition)(record)) continue;
        const label = record.id === undefined ? model.typeName : `${model.typeName} "${record.id}"`;
        const state = `the condition ${JSON.stringify(condition.where)} of the call is not met`;
        throw writeError(`Cannot ${action} ${label}: ${state}`, {
          code: "CONDITIONAL_CHECK_FAILED",
        });
      }
    },
    conflict(item, input) {
      const conflict = item.conflict === "skip" ? item.conflict : item.conflict?.where;
      return resolveConflict(orm, model, { input, conflict });
    },
    changed: (item, record) =>
      Object.fromEntries(
        item.changes.flatMap(([operation, values]) =>
          Object.entries(values).map(([name, by]) => {
            if (!hasField(orm.graphQLSchema, model, name)) {
              throw refuse(`can't change "${name}": ${model.typeName} has no such field`);
            }
            return [name, changes.apply(operation, record[name], by)];
          })
        ),
      ),
  };
}

type Refs = ReturnType<typeof findRefs>;

/** The record that an upsert updates, if there is one. */
function upsertedRefs(subject: RecordSubject, item: WriteItem): Refs {
  const { orm, model, refuse } = subject;
  const tests = testsOf(subject, item);
  const found = tests.length === 0 ? [] : findRefs(orm, model, tests);
  if (found.length < 2) return found;
  throw refuse(`writes one ${model.typeName}, and the call finds ${found.length}`);
}

/** The records that an item finds: all of them, or the only one. */
function writtenRefs(subject: RecordSubject, item: WriteItem): Refs {
  const { orm, model, action, isBulk, refuse } = subject;
  const tests = testsOf(subject, item);
  const [unread] = action === "delete" ? givenNames(item.values) : [];
  if (unread !== undefined) throw refuse(`takes "${unread}", which no rule reads`);
  const isWhole = Object.keys(item.keys).length === 0 &&
    item.filters.every(({ where }) => Object.keys(where).length === 0);
  const isMany = isBulk && !item.isSingle;
  if (tests.length === 0 || isWhole && !isMany) {
    const all = isBulk ? `; an empty object finds all` : "";
    throw refuse(`needs the id of the ${model.typeName} to ${action}, and the call has none${all}`);
  }
  if (isMany) {
    return oneByOne(item).flatMap((one) => findRefs(orm, model, testsOf(subject, one)));
  }
  const found = findRefs(orm, model, tests);
  if (found.length === 1) return found;
  if (found.length > 1) {
    throw refuse(`writes one ${model.typeName}, and the call finds ${found.length}`);
  }
  const id = item.keys.id ?? item.keys[model.key?.name ?? ""];
  throw notFound(orm, { action, models: [model] }, labelOf(model, item), id);
}

function givenNames(values: Values = {}): string[] {
  return Object.keys(values).filter((name) => values[name] !== undefined && values[name] !== null);
}

function testsOf(
  { orm, model, matchWhere }: RecordSubject,
  { keys, filters }: WriteItem,
): Matches[] {
  const byKeys = Object.keys(keys).length > 0 ? [matchKeys(orm, model, keys)] : [];
  return [...byKeys, ...filters.map(matchWhere)];
}

function labelOf({ key }: MockModel, { keys, filters }: WriteItem): string {
  const all: Values = Object.assign({}, keys, ...filters.map(({ where }) => where));
  const id = all.id ?? (key && all[key.name]);
  return id === undefined || isObject(id) ? JSON.stringify(all) : `"${id}"`;
}
