import type { WriteAction } from "../../dialects/dialect.ts";
import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { type WriteContext, writeError } from "../../orm/writes/write_context.ts";
import { notFound } from "../perform_mutation.ts";
import type { Values, WriteIntent, WriteItem } from "../write_intent.ts";
import { resolveConflict } from "./conflict.ts";
import { findRefs, type Matches, matchKeys, matchWhere } from "../../arguments/where.ts";
import type { Changes } from "./value_changes.ts";
import { oneByOne } from "./argument_reader.ts";
import { isObject } from "../../shared/values.ts";

/** The records that a mutation may write. */
export interface RecordSubject {
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
export function createFinder(
  subject: RecordSubject,
): Required<Pick<WriteIntent, "find" | "check" | "conflict" | "changed">> {
  const { orm, model, action, changes, refuse } = subject;
  const toFound = (refs: ReturnType<typeof findRefs>) => refs.map((ref) => ({ model, ref }));
  return {
    find: (item) =>
      action === "upsert"
        ? toFound(upsertedRefs(subject, item))
        : toFound(writtenRefs(subject, item)),
    check(item, record) {
      for (const condition of item.conditions) {
        if (matchWhere(orm, model, condition)(record)) continue;
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
function upsertedRefs({ orm, model, refuse }: RecordSubject, item: WriteItem): Refs {
  const tests = testsOf(orm, model, item);
  const found = tests.length === 0 ? [] : findRefs(orm, model, tests);
  if (found.length < 2) return found;
  throw refuse(`writes one ${model.typeName}, and the call finds ${found.length}`);
}

/** The records that an item finds: all of them, or the only one. */
function writtenRefs(subject: RecordSubject, item: WriteItem): Refs {
  const { orm, model, action, isBulk, refuse } = subject;
  const tests = testsOf(orm, model, item);
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
    return oneByOne(item).flatMap((one) => findRefs(orm, model, testsOf(orm, model, one)));
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

function testsOf(orm: Orm, model: MockModel, { keys, filters }: WriteItem): Matches[] {
  const byKeys = Object.keys(keys).length > 0 ? [matchKeys(orm, model, keys)] : [];
  return [...byKeys, ...filters.map((filter) => matchWhere(orm, model, filter))];
}

function labelOf({ key }: MockModel, { keys, filters }: WriteItem): string {
  const all: Values = Object.assign({}, keys, ...filters.map(({ where }) => where));
  const id = all.id ?? (key && all[key.name]);
  return id === undefined || isObject(id) ? JSON.stringify(all) : `"${id}"`;
}
