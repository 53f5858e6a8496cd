import { getNamedType, getNullableType, isNonNullType, isScalarType } from "graphql";
import type { Orm } from "../../orm/orm.ts";
import { isList } from "../../schema/types.ts";
import type { TypedField } from "../typed_intent.ts";
import type { WriteIntent } from "../write_intent.ts";
import { keyNamed, leavesOf } from "./references.ts";

/**
 * Confirms a command about which the mock has no records, `startBackup(path): Boolean!` or
 * `scanLibrary(input): ID!` of a job: it does nothing, and says so in one warning. Only with
 * `unknownArguments: "ignore"`, and neither if an argument has to refer to a record, nor if a model
 * is in the name, except for `reloadPlugins` without arguments.
 */
export function acknowledgement(
  orm: Orm,
  { field, names, verb, refuse }: TypedField,
): WriteIntent | undefined {
  const type = getNullableType(field.type);
  const isCommand = orm.conventions.unknownArguments === "ignore" && isScalarType(type) &&
    !isList(field.type) && isAboutNothing(names, field, verb) &&
    leavesOf(field.args).every(({ name, type }) => !isNonNullType(type) || !isReference(orm, name));
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
    instead() {
      orm.warnOnce(
        `The mock confirms "${field.name}" and does nothing: it has no records about it`,
      );
      return undefined;
    },
  };
}

function isAboutNothing(
  names: TypedField["names"],
  { name, args }: TypedField["field"],
  verb: TypedField["verb"],
): boolean {
  const [first] = names.split(name);
  const changes = verb !== undefined || names.words.is("change", first);
  return names.mentioned(name).length === 0 || args.length === 0 && !changes;
}

function isReference(orm: Orm, name: string): boolean {
  return /^ids?$/i.test(name) || orm.models.models.some((model) => keyNamed(orm, model, name));
}
