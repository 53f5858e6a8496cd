import {
  getNamedType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { pluralsOf } from "../../shared/names.ts";
import type {
  ArgumentRole,
  Dialect,
  GivenPart,
  Gives,
  MutationRule,
} from "../../dialects/dialect.ts";
import { createPatternTable, fillPattern, recordNames } from "../../dialects/patterns.ts";
import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import type { TypedField } from "../typed_intent.ts";
import type { Answer, Refusal, WriteIntent } from "../write_intent.ts";
import { readingIntent } from "./reading_intent.ts";
import { edgeAnswer, isWhole, recordsOf } from "./guessed_answer.ts";
import type { Changes } from "./value_changes.ts";
import { createArgumentReader } from "./argument_reader.ts";
import { isObjectInput, type RoleReader, type WriteRole } from "./argument_roles.ts";
import { inputFieldsOf, type InputValue, isList } from "../../schema/types.ts";
import type { FollowedRule } from "../../shared/followed_rule.ts";
import { isObject } from "../../shared/values.ts";

/** A rule of a dialect, with the names of one model in its patterns. */
interface NamedRule {
  readonly model: MockModel;
  readonly rule: MutationRule;
  readonly roles: ReadonlyMap<string, ArgumentRole>;
  /** The rule in errors: `hasura: update_posts(where, _set)`. */
  readonly label: string;
  /** Where the dialect has it. */
  readonly follows: FollowedRule;
  /** The names that a pattern stands for. */
  fill(pattern: string): readonly string[];
}

/**
 * Finds what a mutation does by the rules of dialects, whose patterns are filled once with the names
 * of the models: what the first rule says that has its arguments and its type, or why none has;
 * `undefined` for a name that no rule has.
 */
export function createDialectRules(
  orm: Orm & WriteContext,
  changes: Changes,
): (field: TypedField) => WriteIntent | Refusal | undefined {
  let rulesOf: ((name: string) => readonly NamedRule[]) | undefined;
  return (field) => {
    rulesOf ??= createPatternTable(orm.conventions.dialects.flatMap((one) => namedRules(orm, one)));
    let refusal: Refusal | undefined;
    for (const rule of rulesOf(field.field.name)) {
      const intent = ruledIntent(orm, field, rule, changes);
      if (!("reason" in intent)) return intent;
      refusal ??= intent;
    }
    return refusal;
  };
}

function namedRules(
  { models, mirageSchema }: Orm,
  { name: dialectName, mutations = {} }: Dialect,
): (readonly [name: string, rule: NamedRule])[] {
  const plural = pluralsOf(mirageSchema);
  return Object.entries(mutations).flatMap(([pattern, rule]) =>
    models.models.flatMap((model) => {
      const names = recordNames(model.typeName, plural);
      const fill = (text: string) => fillPattern(text, names);
      const roles = new Map(
        rolesIn(rule).flatMap(([argument, role]) =>
          fill(argument).map((one) => [one, role] as const)
        ),
      );
      const follows = { dialect: dialectName, place: "mutations", pattern };
      return fill(pattern).map((name) => {
        const label = `${dialectName}: ${name}(${[...roles.keys()].join(", ")})`;
        return [name, { model, rule, roles, label, follows, fill }] as const;
      });
    })
  );
}

/** The roles of a rule's arguments, without its other keys. */
function rolesIn(rule: MutationRule): (readonly [name: string, role: ArgumentRole])[] {
  const { does: _does, gives: _gives, ...others } = rule;
  return Object.entries(others).flatMap(([name, role]) => isRole(role) ? [[name, role]] : []);
}

/** A dialect has been checked, so that a text is a role. */
function isRole(value: MutationRule[string]): value is ArgumentRole {
  return typeof value === "string";
}

/** What a rule says about a mutation, unless its arguments or its type are others. */
function ruledIntent(
  orm: Orm & WriteContext,
  { field, refuse }: TypedField,
  { model, rule, roles, label, follows, fill }: NamedRule,
  changes: Changes,
): WriteIntent | Refusal {
  const { graphQLSchema } = orm;
  const { does: action, gives } = rule;
  const reading = ruledRoles(orm, model, roles, changes);
  const unread = unreadOf(reading, field.args);
  if (unread !== undefined) return { reason: `takes "${unread}", which is not in ${label}` };
  const answer = createGivenAnswer(graphQLSchema, field.type, { model, gives, fill });
  if (answer === undefined) return { reason: `returns ${field.type}, which does not fit ${label}` };
  const subject = { graphQLSchema, model, action, isPartial: false, byKeys: [] };
  const reader = createArgumentReader(subject, reading, field.args);
  const set = isObject(rule.set) ? rule.set : {};
  const isWriting = reader.hasValues || Object.keys(set).length > 0;
  const isComplete = action === "create" || reader.canFind;
  if (!isComplete || action !== "delete" && !isWriting) {
    return { reason: `takes too little for ${label}` };
  }
  const read = readingIntent(orm, field, {
    ...{ model, action, answer, reader, changes },
    isPartial: false,
    isBulk: isOfMany(gives),
    refuse: (reason) => refuse(`${reason} (${label})`),
  });
  const intent = { ...read, follows };
  if (Object.keys(set).length === 0) return intent;
  return {
    ...intent,
    read: (args, call) =>
      intent.read(args, call).map((item) => ({ ...item, values: { ...item.values, ...set } })),
  };
}

/** The roles of a rule. */
interface RuledRoles extends RoleReader {
  /** Whether an argument changes values; one whose name no dialect has can be left out. */
  isChange(path: readonly string[]): boolean;
}

/** Roles by the paths of a rule: those of arguments, and of the fields of inputs. */
function ruledRoles(
  { graphQLSchema }: Orm,
  model: MockModel,
  roles: ReadonlyMap<string, ArgumentRole>,
  changes: Changes,
): RuledRoles {
  const find = createPatternTable(roles);
  const roleAt = (path: readonly string[]) => find(path.join("."))[0];
  const isOpen = (path: readonly string[]) =>
    [...roles.keys()].some((name) => name.startsWith(`${path.join(".")}.`));
  const roleOf = (input: InputValue, path: readonly string[]): WriteRole => {
    const role = roleAt(path);
    if (role === undefined) return isOpen(path) ? "data" : "unread";
    if (role === "key") return isObjectInput(input) ? "filter" : "key";
    if (role === "change") return changes.has(input.name) ? "change" : "unread";
    const isValues = role === "values" || role === "values[]";
    // an object around the values is for the rule of another dialect
    if (isValues && !isOpen(path)) return hasValues(input) ? "data" : "unread";
    return isValues ? "data" : role === "created" ? "create" : role;
  };
  const hasValues = ({ type }: InputValue) => {
    const fields = inputFieldsOf(type);
    return fields.length === 0 || fields.some(({ name }) => hasField(graphQLSchema, model, name));
  };
  return {
    isChange: (path) => roleAt(path) === "change",
    rolesOf: (inputs, path) =>
      new Map(inputs.map((input) => [input.name, roleOf(input, [...path, input.name])])),
    isHolder: (_data, path) => roleAt(path) === undefined,
    keysIn: (data, path) =>
      new Set(
        inputFieldsOf(data.type).map(({ name }) => name).filter((name) =>
          roleAt([...path, name]) === "key"
        ),
      ),
  };
}

/** The path of an argument that a rule doesn't have. */
function unreadOf(
  reading: RuledRoles,
  inputs: readonly InputValue[],
  path: readonly string[] = [],
): string | undefined {
  const roles = reading.rolesOf(inputs, path);
  for (const input of inputs) {
    const own = [...path, input.name];
    const role = roles.get(input.name);
    const isOptional = reading.isChange(own) && !isNonNullType(input.type);
    if (role === "unread" && !isOptional) return own.join(".");
    const isInside = role === "data" && reading.isHolder(input, own);
    const inner = isInside ? unreadOf(reading, inputFieldsOf(input.type), own) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** What a rule says about the type of a mutation, and the names in its patterns. */
interface Given {
  readonly model: MockModel;
  readonly gives: Gives;
  fill(pattern: string): readonly string[];
}

/** The value of a mutation by the rule of a dialect; `undefined` if its type does not fit. */
function createGivenAnswer(
  graphQLSchema: GraphQLSchema,
  type: GraphQLOutputType,
  { model, gives, fill }: Given,
): Answer | undefined {
  if (typeof gives === "string") return partAnswer(graphQLSchema, { name: "", type }, model, gives);
  const payload = getNamedType(type);
  if (!isObjectType(payload) || isList(type) || payload.name === model.typeName) return undefined;
  const partsOf = createPatternTable(
    Object.entries(gives).flatMap(([pattern, part]) =>
      fill(pattern).map((name) => [name, part] as const)
    ),
  );
  const answers = new Map<string, Answer>();
  for (const field of Object.values(payload.getFields())) {
    const answer = partsOf(field.name)
      .map((part) => partAnswer(graphQLSchema, field, model, part))
      .find((one) => one !== undefined);
    if (answer !== undefined) answers.set(field.name, answer);
    else if (isNonNullType(field.type)) return undefined;
  }
  if (answers.size === 0) return undefined;
  return (written) =>
    Object.fromEntries([...answers].map(([name, answer]) => [name, answer(written) ?? null]));
}

/** Whether what a mutation returns is about all records that it finds, rather than about one. */
function isOfMany(gives: Gives): boolean {
  const parts = typeof gives === "string" ? [gives] : Object.values(gives);
  const isOne = parts.includes("record") || parts.includes("edge");
  return !isOne && ["records", "count", "ids"].some((part) => parts.includes(part as GivenPart));
}

/** The value of a part; `undefined` if it does not fit the type of its field. */
function partAnswer(
  graphQLSchema: GraphQLSchema,
  { name, type }: Pick<GraphQLField<unknown, unknown>, "name" | "type">,
  model: MockModel,
  part: GivenPart,
): Answer | undefined {
  const named = getNamedType(type);
  const isRecord = named.name === model.typeName || isAbstractType(named) &&
      graphQLSchema.getPossibleTypes(named).some((one) => one.name === model.typeName);
  const isLeaf = isLeafType(named) && !isList(type);
  switch (part) {
    case "record":
    case "records":
      return isRecord && isList(type) === (part === "records") ? recordsOf(type) : undefined;
    case "edge":
      return isObjectType(named) ? edgeAnswer(named, model) : undefined;
    case "count":
      return isWhole(named.name) && isLeaf ? ({ count }) => count : undefined;
    case "id":
      return isLeaf ? ({ ids: [id] }) => id : undefined;
    case "ids":
      return isLeafType(named) && isList(type) ? ({ ids }) => ids : undefined;
    case "deleted id":
      return isLeaf ? ({ action, ids: [id] }) => action === "delete" ? id : undefined : undefined;
    case "field":
      return isLeafType(named)
        ? ({ values: [value] }) => isObject(value) ? value[name] : undefined
        : ({ related }) => related(name);
    case "clientMutationId":
      return ({ clientMutationId }) => clientMutationId;
    case "query":
      return named === graphQLSchema.getQueryType() ? () => ({}) : undefined;
    case "true":
      return named.name === "Boolean" ? () => true : undefined;
    case "none":
      return isList(type) ? () => [] : undefined;
  }
}
