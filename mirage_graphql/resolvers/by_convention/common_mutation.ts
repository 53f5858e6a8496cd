import { isOneOrMany, type Pluralize, pluralsOf } from "../../conventions/targets.ts";
import { getNullableType, type GraphQLField, isInputObjectType } from "graphql";
import { keyOf, wordsOf } from "../../names.ts";
import type { MockModel } from "../../orm/models/model_map.ts";

import type { Orm } from "../../orm/orm.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import type {
  CommonField,
  CommonPerform,
  PlannedByTypes,
  WriteAction,
} from "../convention_rules.ts";
import { createGivenArguments } from "../given_arguments.ts";
import { noCreation } from "../mutation_input.ts";
import { createCurrentId } from "./current_record.ts";
import { checkVariables } from "./missing_variables.ts";
import { keysInName } from "./named_models.ts";
import { type CommonMutation, performCommonMutation } from "./perform_common.ts";
import { type ArgumentReader, createArgumentReader } from "./write_arguments.ts";
import { createAnswer, isBulkAnswer } from "./write_answer.ts";
import { commonAction, isChanging, writtenModel } from "./written_model.ts";
import { hasField, isFindingName, isOwnId } from "./write_roles.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Recognizes a mutation in the style of widespread APIs: flat arguments, `where` and `data`, lists,
 * Hasura's `pk_columns`, `_set` and `objects`, and results that only report what was done.
 * `undefined` if its name and its types don't say which records of which type it writes; an error
 * if the types alone may say something different from the name.
 */
export function createCommonMutation(
  orm: Orm & WriteContext,
  common: CommonField<PlannedByTypes>,
): CommonPerform | Error | undefined {
  const { field, planned } = common;
  const action = commonAction(field.name, common.verb, orm.models.models);
  if (planned !== undefined && isExplained(orm, common, action)) return undefined;
  const found = planCommonMutation(orm, common, action);
  if (found !== undefined) return performer(orm, field, found);
  return refusalOf(orm, common, action);
}

/** The reason why the types say something different from the name and the arguments. */
function refusalOf(
  orm: Orm,
  { planned, isExplicit, refuse }: CommonField<PlannedByTypes>,
  action: WriteAction | undefined,
): Error | undefined {
  const [model] = planned?.target.models ?? [];
  if (planned === undefined || model === undefined || isExplicit) return undefined;
  const id = planned.id?.at(-1) ?? "";
  if (isIdOfOther(orm, model, id)) {
    return refuse(`takes "${id}", which is not an id of ${model.typeName}`);
  }
  if (planned.action !== "delete" || action === "delete") return undefined;
  return refuse("takes only an ID, and its name does not say that it deletes");
}

/** Whether an id is named after another model: `orderLineId` for an `OrderLineDiscount`. */
function isIdOfOther({ models }: Orm, model: MockModel, name: string): boolean {
  const key = keyOf(name).replace(/id$/, "");
  const isNamed = models.models.some(({ typeName }) => keyOf(typeName) === key);
  return isNamed && !keyOf(model.typeName).endsWith(key) && key !== keyOf(name);
}

/** Whether the types say the same as the name and the keys. */
function isExplained(
  orm: Orm,
  { planned, isExplicit }: CommonField<PlannedByTypes>,
  action: WriteAction | undefined,
): boolean {
  const [model, ...others] = planned?.target.models ?? [];
  if (planned === undefined || model === undefined) return false;
  if (isExplicit) return !(action === "create" && planned.action === "delete");
  const id = planned.id?.at(-1);
  const isOtherKey = id !== undefined && others.length === 0 &&
    !isOwnId({ ...orm, model }, id) && hasField({ ...orm, model }, id);
  if (action === undefined) return planned.action !== "delete";
  if (id !== undefined && isIdOfOther(orm, model, id)) return false;
  const isFilter = (planned.id?.length ?? 0) > 1 && isFindingName(planned.id?.[0] ?? "");
  return planned.action === action && !isOtherKey && !isFilter;
}

function planCommonMutation(
  orm: Orm & WriteContext,
  { field, verb, refuse }: CommonField<PlannedByTypes>,
  said: WriteAction | undefined,
): CommonMutation | undefined {
  const { graphQLSchema } = orm;
  const written = writtenModel(orm, field, said);
  const answer = written && createAnswer(graphQLSchema, field.type, written.model);
  if (written === undefined || answer === undefined || verb === "close") return undefined;
  const { model, isPartial } = written;
  const isCreation = said === "create";
  if (isCreation && (isAboutExisting(orm, field, model) || !answer.reports)) return undefined;
  const action = said ?? "update";
  const subject = { graphQLSchema, model, action, isPartial, byKeys: keysInName(field.name) };
  const reader = createArgumentReader(subject, field.args);
  const isCurrent = action === "update" && createCurrentId(orm, field, model) !== undefined;
  if (action !== "create" && action !== "upsert" && !reader.canFind && !isCurrent) return undefined;
  if (action !== "delete" && !reader.hasValues) return undefined;
  if (
    said === undefined &&
    !(isChanging(field.name) && namesValues(field.name, reader, pluralsOf(orm.mirageSchema)))
  ) {
    return undefined;
  }
  const isBulk = isBulkAnswer(field, model, pluralsOf(orm.mirageSchema));
  return { model, action, isPartial, reader, answer: answer.toValue, orm, isBulk, refuse };
}

/** Whether a name says what it changes: `changePostTitle(id, title)`. */
function namesValues(name: string, { flat }: ArgumentReader, plural: Pluralize): boolean {
  const words = wordsOf(name);
  return flat.length > 0 &&
    flat.every((value) =>
      wordsOf(value).filter((word) => !/^ids?$/.test(word)).every((word) =>
        words.some((one) => isOneOrMany(one, word, plural) || isOneOrMany(word, one, plural))
      )
    );
}

/** Whether the only argument of a creation refers to an existing record. */
function isAboutExisting({ graphQLSchema }: Orm, { args }: Field, model: MockModel): boolean {
  const [argument, ...others] = args;
  const type = argument && getNullableType(argument.type);
  if (argument === undefined || others.length > 0) return false;
  if (!isInputObjectType(type)) return argument.name === "id";
  return noCreation({ path: [argument.name], type, model, graphQLSchema }, true) !== undefined;
}

function performer(orm: Orm, field: Field, mutation: CommonMutation): CommonPerform {
  const given = createGivenArguments(field);
  const { canFind } = mutation.reader;
  const currentId = canFind ? undefined : createCurrentId(orm, field, mutation.model);
  return (args, call) => {
    if (call !== undefined && mutation.action !== "create") checkVariables(field, call);
    return performCommonMutation(mutation, {
      args,
      given: call === undefined ? args : given({ ...call, args }),
      currentId: mutation.action === "update" ? currentId?.(call) : undefined,
    });
  };
}
