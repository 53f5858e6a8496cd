import {
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from "graphql";
import type { Orm } from "../../orm/orm.ts";
import { fieldsOf, isList } from "../../schema/types.ts";
import { wordsOf } from "../../shared/names.ts";
import { isGiven } from "../../shared/values.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { NO_ITEM, type WriteIntent } from "../write_intent.ts";
import { isAboutRecords } from "./about_records.ts";
import { keyNamed } from "./references.ts";
import { leavesOf } from "../mutation_input.ts";

/**
 * Confirms a command about which the mock has no records, `startBackup(path): Boolean!` or
 * `scanLibrary(input): ID!` of a job: it does nothing, and says so in one warning. Only with
 * `unknownArguments: "ignore"`, and neither if a call refers to a record, nor if the name says that it
 * writes what the mock has, adds or removes something; a text that it returns, such as a key or an
 * address, would lead nowhere. `reloadPlugins` without arguments may name a model, and a job that
 * answers with its id may refer to records, since it has not done anything yet.
 */
export function acknowledgement(
  orm: Orm,
  subject: TypedField,
): WriteIntent | undefined {
  const { field, refuse } = subject;
  const type = getNullableType(field.type);
  const queued = queuedJob(orm, subject);
  if (queued !== undefined) return queued;
  const isJob = getNamedType(field.type).name === "ID" && subject.verb === undefined;
  const references = leavesOf(field.args).filter(({ name }) => isReference(orm, name));
  const isWriting = subject.verb === "create" || subject.verb === "delete";
  const isCommand = orm.conventions.unknownArguments === "ignore" && isScalarType(type) &&
    !isList(field.type) && !isWriting && !isAboutRecords(orm, subject) &&
    references.every((one) => !isNonNullType(one.type));
  if (!isCommand) return undefined;
  let count = 0;
  const answers: Readonly<Record<string, () => unknown>> = {
    Boolean: () => true,
    ID: () => String(++count),
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

/** The values of an enum that only a job in the background has: it waits, and it runs. */
const WAITING = /^(ready|queued|pending|waiting|scheduled|new)$/i;
const RUNNING = /^(running|in_?progress|processing|started)$/i;

/**
 * Adds a job that waits, and never runs, for a command that returns the id of one:
 * `scanLibrary(input): ID!` where there is a `Job` whose status may be that it runs.
 */
function queuedJob(orm: Orm, { field, names, refuse }: TypedField): WriteIntent | undefined {
  const isId = getNamedType(field.type).name === "ID" && !isList(field.type);
  const [model, ...others] = isId && orm.conventions.unknownArguments === "ignore"
    ? orm.models.models.filter(({ typeName }) => /Job$/.test(typeName))
    : [];
  const type = model && orm.graphQLSchema.getType(model.typeName);
  if (model === undefined || others.length > 0 || !isObjectType(type)) return undefined;
  const fields = fieldsOf(type);
  const states = fields.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    const values = isEnumType(named) && !isList(type) ? named.getValues() : [];
    const waiting = values.find((one) => WAITING.test(one.name));
    const isState = waiting !== undefined && values.some((one) => RUNNING.test(one.name));
    return isState ? [[name, waiting.value] as const] : [];
  });
  const isRequired = leavesOf(field.args).some(({ name, type }) =>
    isNonNullType(type) && isReference(orm, name)
  );
  if (states.length !== 1 || isRequired) return undefined;
  const label = names.split(field.name).join(" ");
  const valuesNow = () =>
    Object.fromEntries(
      fields.flatMap(({ name, type }): (readonly [string, unknown])[] => {
        if (!isLeafType(getNamedType(type)) || name === "id") return [];
        if (/^(description|name|title)$/.test(name)) return [[name, label]];
        const words = wordsOf(name);
        const isTime = words.some((word) => /^(time|at|date)$/.test(word));
        if (
          isTime && (isNonNullType(type) || words.some((word) => /^(add|creat|queue)/.test(word)))
        ) {
          return [[name, new Date().toISOString()]];
        }
        return isNonNullType(type) ? [] : [[name, null]];
      }).concat(states),
    );
  return {
    ...{ action: "create", models: [model], isPartial: false, refuse },
    answer: ({ ids: [id] }) => id,
    read() {
      orm.warnOnce(`The mock adds a ${model.typeName} for "${field.name}", which never runs`);
      return [{ ...NO_ITEM, values: valuesNow() }];
    },
    find: () => [],
  };
}
