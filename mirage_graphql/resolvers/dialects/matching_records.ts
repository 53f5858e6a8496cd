import { isObject, type MirageRecord } from "../../orm/mirage.ts";
import { type MockModel, relationNamed } from "../../orm/models/model_map.ts";
import { keyTarget, readKey, toResponseId } from "../../orm/record_ids.ts";
import { type RecordRef, toRecordRef } from "../../orm/writes/record_ref.ts";
import { tableOf } from "../../orm/writes/tables.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import { UnreadArgument, type Values } from "./write_arguments.ts";

/**
 * The records whose attributes equal those of a `where`: plain values, or the operators for
 * equality of Hasura, Prisma and others; all records if it is empty.
 *
 * @throws {UnreadArgument} If it has something else.
 */
export function matchingRecords(
  context: WriteContext,
  model: MockModel,
  where: Values,
): RecordRef[] {
  const tests = Object.entries(where).filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => createTest(context, model, [name, wantedTexts(name, value)]));
  return tableOf(context.mirageSchema, model.modelName)
    .where((record) => tests.every((test) => test(record)))
    .map((record) => toRecordRef(model.modelName, record));
}

function createTest(
  context: WriteContext,
  model: MockModel,
  [name, wanted]: readonly [name: string, wanted: readonly string[]],
): (record: MirageRecord) => boolean {
  const relation = relationNamed(model, name);
  const key = relation?.foreignKey ?? name;
  const isWanted = (value: unknown) => wanted.includes(String(value));
  return (record) => {
    const held: unknown = name === model.key?.name ? readKey(context, model, record) : record[key];
    const values: readonly unknown[] = Array.isArray(held) ? held : [held];
    return values.some((value) => {
      const target = name === "id" ? { id: value, model } : keyTarget(context, relation, value);
      return isWanted(target.id) || isWanted(toResponseId(context, target.model, target.id));
    });
  };
}

function wantedTexts(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  if (!isObject(value)) return [String(value)];
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0 || !/^_?(eq|equals|equalTo|in|id)$/.test(entry[0])) {
    throw new UnreadArgument(`finds records by equality only, and "${name}" has more`);
  }
  return wantedTexts(name, entry[1]);
}
