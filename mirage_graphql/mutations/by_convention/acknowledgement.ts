import { getNamedType, getNullableType, isNonNullType, isScalarType } from "graphql";
import type { Orm } from "../../orm/orm.ts";
import { isList } from "../../schema/types.ts";
import { isGiven } from "../../shared/values.ts";
import { read, type TypedField } from "../typed_intent.ts";
import type { WriteIntent } from "../write_intent.ts";
import { isAboutRecords } from "./about_records.ts";
import { keyNamed, leavesOf } from "./references.ts";

/**
 * Confirms a command about which the mock has no records, `startBackup(path): Boolean!` or
 * `scanLibrary(input): ID!` of a job: it does nothing, and says so in one warning. Only with
 * `unknownArguments: "ignore"`, and neither if a call refers to a record, nor if the name says that it
 * writes what the mock has. `reloadPlugins` without arguments may name a model, and a job that
 * answers with its id may refer to records, since it has not done anything yet.
 */
export function acknowledgement(
  orm: Orm,
  subject: TypedField,
): WriteIntent | undefined {
  const { field, refuse } = subject;
  const type = getNullableType(field.type);
  const isJob = getNamedType(field.type).name === "ID" && subject.verb === undefined;
  const references = leavesOf(field.args).filter(({ name }) => isReference(orm, name));
  const isCommand = orm.conventions.unknownArguments === "ignore" && isScalarType(type) &&
    !isList(field.type) && !isAboutRecords(orm, subject) &&
    references.every((one) => !isNonNullType(one.type));
  if (!isCommand) return undefined;
  let count = 0;
  const answers: Readonly<Record<string, () => unknown>> = {
    Boolean: () => true,
    ID: () => String(++count),
    String: () => `${field.name} ${++count}`,
  };
  const answer = answers[getNamedType(type).name];
  if (answer === undefined) return undefined;
  return {
    ...{ action: "update", models: [], isPartial: false, refuse, answer },
    read: () => [],
    find: () => [],
    instead(args) {
      const given = references.find(({ path }) => isGiven(read(args, path)));
      if (given !== undefined && !isJob) {
        return { reason: `takes "${given.name}", and does nothing to what it refers to` };
      }
      orm.warnOnce(
        `The mock confirms "${field.name}" and does nothing: it has no records about it`,
      );
      return undefined;
    },
  };
}

function isReference(orm: Orm, name: string): boolean {
  return /^ids?$/i.test(name) || orm.models.models.some((model) => keyNamed(orm, model, name));
}
