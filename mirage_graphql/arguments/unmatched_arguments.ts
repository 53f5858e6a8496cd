import { getNamedType } from "graphql";
import { relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { createGivenArguments, type ResolverCall } from "./call.ts";
import { isGiven } from "./equality.ts";
import { equality, type ListField } from "./filter.ts";

/** In how many requests an argument has to match nothing before that is reported. */
const REQUESTS = 3;

/** Notes whether the arguments of a call have left records of the table. */
export type NoteMatches = (call: ResolverCall, hasRecords: boolean) => void;

/**
 * Reports an argument that no record of a table with records has matched in any request: it is
 * compared with the attribute of its name, and may be about something else, such as a sales channel.
 */
export function createNoteMatches(orm: Orm, list: ListField): NoteMatches | undefined {
  const { field, models, parentType, types } = list;
  const isAttribute = (name: string) => !models.some((model) => relationNamed(model, name));
  const compared = field.args.filter((argument) =>
    list.isEquality(argument) && isAttribute(argument.name) &&
    getNamedType(argument.type).name !== "ID"
  );
  if (compared.length === 0) return undefined;
  const given = createGivenArguments(field);
  const unmatched = new Map(compared.map(({ name }) => [name, 0]));
  return (call, hasRecords) => {
    const args = given(call);
    for (const [name, count] of unmatched) {
      const expected = args[name];
      if (!isGiven(expected)) continue;
      const state = hasRecords ? "matched" : stateOf(name, expected);
      if (state === "matched") unmatched.delete(name);
      if (state !== "unmatched") continue;
      unmatched.set(name, count + 1);
      if (count + 1 === REQUESTS) warn(name);
    }
  };

  function stateOf(name: string, expected: unknown): "matched" | "unmatched" | "unknown" {
    const fits = equality(orm, models, name)(expected);
    const tables = models.map((model) => ({ model, records: orm.store.of(model) }))
      .filter(({ records }) => records.first() !== undefined);
    const isMatched = tables.some(({ model, records }) =>
      records.first((record) => fits(record, model)) !== undefined
    );
    return isMatched ? "matched" : tables.length > 0 ? "unmatched" : "unknown";
  }

  function warn(name: string): void {
    const typeName = types.map((type) => type.name).join(" or ");
    orm.warnOnce(
      `${parentType.name}.${field.name} was empty in ${REQUESTS} requests: no ${typeName} has the ` +
        `"${name}" that they ask for. If the argument is about something else, give the handler ` +
        `the option ignoreArguments: ["${name}"]`,
    );
  }
}
