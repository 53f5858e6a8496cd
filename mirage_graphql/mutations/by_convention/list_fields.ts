import { getNamedType } from "graphql";
import {
  hasField,
  type MockModel,
  type Relation,
  relationNamed,
} from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { writeError } from "../../orm/writes/write_context.ts";
import { isIdType, isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import type { TypedField } from "../typed_intent.ts";
import type { Values, WriteIntent } from "../write_intent.ts";
import { leavesOf } from "../mutation_input.ts";
import { withValues } from "./written_values.ts";

/** The names of the fields that change a list, and the operation that each starts with. */
type ListFields = ReadonlyMap<string, string>;

/**
 * Lets the ids in the input of a mutation change a list: `addTags: ["1"]` and `removeTags: ["2"]`
 * connect and disconnect records of `tags`, rather than being attributes that nothing reads. Such a
 * field is named after an operation of a dialect, and the list.
 *
 * @throws {GraphQLError} When a call has such a field, and the record has no list of that name, or
 * another field is about the same list.
 */
export function withListFields(orm: Orm, subject: TypedField, intent: WriteIntent): WriteIntent {
  const [model] = intent.models;
  const fields = listFields(orm, subject, model);
  if (model === undefined || fields.size === 0) return intent;
  return withValues(intent, (values) => toOperations(model, fields, values));
}

function listFields(
  { graphQLSchema, conventions: { dialects } }: Orm,
  { field }: TypedField,
  model: MockModel | undefined,
): ListFields {
  const isChange = (verb: string) =>
    dialects.some(({ nested }) => /^(dis)?connect$/.test(nested?.[verb] ?? ""));
  return new Map(
    leavesOf(field.args).flatMap(({ name, type }): (readonly [string, string])[] => {
      const [verb = "", ...rest] = wordsOf(name);
      const isIds = isList(type) && isIdType(getNamedType(type)) && rest.length > 0;
      const isField = model !== undefined && hasField(graphQLSchema, model, name);
      return isIds && !isField && isChange(verb) ? [[name, verb]] : [];
    }),
  );
}

function toOperations(model: MockModel, fields: ListFields, values: Values): Values {
  const lists = new Map<string, Values>();
  const others = Object.entries(values).filter(([name]) => !fields.has(name));
  for (const [name, ids] of Object.entries(values)) {
    const operation = fields.get(name);
    if (operation === undefined || ids === null || ids === undefined) continue;
    const list = listNamed(model, wordsOf(name).slice(1));
    const [other] = list && others.find(([one]) => relationNamed(model, one) === list) || [];
    if (list?.isList !== true || other !== undefined) {
      const state = other === undefined ? "it has no such list" : `"${other}" names the same list`;
      throw writeError(`Cannot write "${name}" of ${model.typeName}: ${state}`);
    }
    lists.set(list.name, { ...lists.get(list.name), [operation]: ids });
  }
  return Object.fromEntries([...others, ...lists]);
}

/** The relation with a name, or with its ids: `tags` and `tagIds`. */
function listNamed(model: MockModel, words: readonly string[]): Relation | undefined {
  return [...model.relations.values()].find(({ name }) => keyOf(name) === words.join("")) ??
    relationNamed(model, words.join("_"));
}
