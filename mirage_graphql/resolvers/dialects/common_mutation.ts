import { getNullableType, type GraphQLField, isInputObjectType } from "graphql";
import { singularOf, wordsOf } from "../../conventions/words.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import type { CommonField, CommonPerform, WriteAction } from "../convention_rules.ts";
import { createGivenArguments } from "../given_arguments.ts";
import { noCreation } from "../mutation_input.ts";
import { keysInName } from "../mutation_name.ts";
import { createCurrentId } from "./current_record.ts";
import { checkVariables } from "./missing_variables.ts";
import { type CommonMutation, performCommonMutation } from "./perform_common.ts";
import { type ArgumentReader, createArgumentReader } from "./write_arguments.ts";
import { createAnswer, isBulkAnswer } from "./write_answer.ts";
import { commonAction, writtenModel } from "./written_model.ts";
import { hasField, isFindingName, isOwnId } from "./write_roles.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Recognizes a mutation in the style of widespread APIs: flat arguments, `where` and `data`, lists,
 * Hasura's `pk_columns`, `_set` and `objects`, and results that only report what was done.
 * `undefined` if its name and its types don't say which records of which type it writes; an error
 * if what the types alone say may be something else than the name does.
 */
export function createCommonMutation(
  orm: Orm & WriteContext,
  common: CommonField,
): CommonPerform | Error | undefined {
  const { field, planned } = common;
  const action = commonAction(field.name, common.verb, orm.models.models);
  if (planned !== undefined && isExplained(orm, common, action)) return undefined;
  const found = planCommonMutation(orm, common, action);
  if (found !== undefined) return performer(orm, field, found);
  if (planned?.action !== "delete" || action === "delete" || common.isExplicit) return undefined;
  return common.refuse("takes only an ID, and its name does not say that it deletes");
}

/** Whether what the types say is what the name and the keys say too. */
function isExplained(
  orm: Orm,
  { planned, isExplicit }: CommonField,
  action: WriteAction | undefined,
): boolean {
  const [model, ...others] = planned?.target.models ?? [];
  if (planned === undefined || model === undefined) return false;
  if (isExplicit) return !(action === "create" && planned.action === "delete");
  const id = planned.id?.at(-1);
  const isOtherKey = id !== undefined && others.length === 0 &&
    !isOwnId({ ...orm, model }, id) && hasField({ ...orm, model }, id);
  if (action === undefined) return planned.action !== "delete";
  const isFilter = (planned.id?.length ?? 0) > 1 && isFindingName(planned.id?.[0] ?? "");
  return planned.action === action && !isOtherKey && !isFilter;
}

function planCommonMutation(
  orm: Orm & WriteContext,
  common: CommonField,
  said: WriteAction | undefined,
): CommonMutation | undefined {
  const { field, verb, refuse } = common;
  const { graphQLSchema } = orm;
  const model = writtenModel(orm, field, said);
  const answer = model && createAnswer(graphQLSchema, field.type, model);
  if (model === undefined || answer === undefined || verb === "close") return undefined;
  const isOfExisting = said === "create" && isAboutExisting(orm, field, model);
  if (isOfExisting || said === "create" && !answer.reports) return undefined;
  const subject = {
    graphQLSchema,
    model,
    action: said ?? "update",
    byKeys: keysInName(field.name),
  };
  const found = createArgumentReader(subject, field.args);
  const isFound = found.canFind || createCurrentId(orm, field, model) !== undefined;
  const action = said ?? (isFound ? "update" : "create");
  const reader = action === subject.action
    ? found
    : createArgumentReader({ ...subject, action }, field.args);
  const isBulk = isBulkAnswer(field, model);
  const plan = { model, action, reader, answer: answer.toValue, orm, isBulk, refuse };
  return isComplete(field, plan, { isFound, isSaid: said !== undefined }) ? plan : undefined;
}

/** Whether the arguments have what the action needs, and the name says it or they do. */
function isComplete(
  field: Field,
  { action, reader }: Pick<CommonMutation, "action" | "reader">,
  { isFound, isSaid }: { readonly isFound: boolean; readonly isSaid: boolean },
): boolean {
  if (action === "delete") return isFound;
  if (!reader.hasValues || action === "update" && !isFound) return false;
  return isSaid || reader.hasData || action === "update" && namesValues(field.name, reader);
}

/** Whether a name without a known verb names what it changes: `renameTitle(id, title)`. */
function namesValues(name: string, { flat }: ArgumentReader): boolean {
  const words = new Set(wordsOf(name).map(singularOf));
  return flat.length > 0 &&
    flat.every((value) =>
      wordsOf(value).filter((word) => !/^ids?$/.test(word)).every((word) =>
        words.has(singularOf(word))
      )
    );
}

/** Whether the only input of a creation is about a record that exists. */
function isAboutExisting({ graphQLSchema }: Orm, { args }: Field, model: MockModel): boolean {
  const [argument, ...others] = args;
  const type = argument && getNullableType(argument.type);
  if (argument === undefined || others.length > 0 || !isInputObjectType(type)) return false;
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
