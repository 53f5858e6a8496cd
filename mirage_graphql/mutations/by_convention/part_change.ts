import {
  getNamedType,
  type GraphQLField,
  isCompositeType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { findRecord } from "../../orm/writes/record_ref.ts";
import { writeError } from "../../orm/writes/write_context.ts";
import { isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { isGiven, isObject } from "../../shared/values.ts";
import { type ArgumentPath, fieldOf, type InputLeaf, valuesIn } from "../mutation_input.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { NO_ITEM, type Values } from "../write_intent.ts";
import { currentRecord } from "./current_record.ts";
import type { RecordChange } from "./record_change.ts";
import { findReferred, keyNamed } from "./references.ts";
import { returnedModels } from "./returned_models.ts";

/** A record and the field of it that a mutation writes as a whole. */
interface Part {
  readonly model: MockModel;
  readonly fieldName: string;
  /** The argument with the value. */
  readonly path: ArgumentPath;
  /** What refers to the record, of which a call has one; else it belongs to whoever calls. */
  readonly owners: readonly (InputLeaf & { readonly key: string })[];
  /** What no rule reads. */
  readonly unread: readonly string[];
}

/**
 * What a mutation writes into the object that its name says: `setOrderShippingAddress(input)` sets
 * `shippingAddress` of the order that an argument refers to, or else of the one that the root field
 * `activeOrder` returns.
 */
export function partChange(
  orm: Orm,
  { field, names, refuse }: TypedField,
): RecordChange | undefined {
  const words = wordsOf(field.name);
  const isSetting = [words[0], words.at(-1)].some((word) => names.words.is("change", word));
  const isUpdate = [words[0], words.at(-1)].some((word) => names.words.is("update", word));
  if (!isSetting && !isUpdate) return undefined;
  const parts = returnedModels(orm, field.type).models.flatMap((model) =>
    partOf(orm, field, model) ?? []
  );
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0) return undefined;
  const { model, fieldName, path, owners, unread } = part;
  return {
    model,
    intent: {
      action: "update",
      models: [model],
      isPartial: false,
      refuse,
      read(args, call) {
        const value = read(args, path);
        if (!isObject(value)) throw refuse(`needs values, and "${path.join(".")}" has none`);
        const extra = unread.find((name) => isGiven(args[name]));
        if (extra !== undefined) warnUnread(orm, field.name, extra, model.typeName);
        const [ref] = owners.flatMap(({ key, path }) =>
          findReferred(orm, [{ model, key }], read(args, path))
        );
        const id = ref?.id ?? currentRecord(orm, model)?.idFor(call);
        if (id === undefined) {
          throw writeError(
            `Cannot update "${fieldName}" of ${model.typeName}: there is no record`,
            {
              code: "NOT_FOUND",
            },
          );
        }
        const given = valuesIn(value);
        const values = known(orm, field.name, part, given);
        const record = findRecord(orm.mirageSchema, { modelName: model.modelName, id }) ?? {};
        const old = isUpdate ? record[fieldName] : undefined;
        const whole: Values = isObject(old) ? { ...old, ...values } : values;
        return [{ ...NO_ITEM, keys: { id }, values: { [fieldName]: whole } }];
      },
      find: ({ keys: { id } }) => [{ model, ref: { modelName: model.modelName, id: String(id) } }],
    },
  };
}

function warnUnread(orm: Orm, name: string, unread: string, typeName: string): void {
  orm.warnOnce(
    `The mock writes the other values of ${name}: it takes "${unread}", which ${typeName} has no field for`,
  );
}

/** The values that the part has fields for; with `unknownArguments: "ignore"`, others are left out. */
function known(orm: Orm, name: string, { model, fieldName }: Part, values: Values): Values {
  const field = fieldOf(orm.graphQLSchema, model.typeName, keyOf(fieldName));
  const type = field && getNamedType(field.type);
  if (!isObjectType(type) || orm.conventions.unknownArguments === "error") return values;
  const isKnown = ([key]: readonly [string, unknown]) =>
    type.getFields()[key] !== undefined || /id$/i.test(key);
  const [unread] = Object.entries(values).find((entry) => !isKnown(entry)) ?? [];
  if (unread === undefined) return values;
  warnUnread(orm, name, unread, type.name);
  return Object.fromEntries(Object.entries(values).filter(isKnown));
}

function partOf(
  orm: Orm,
  { name, args }: GraphQLField<unknown, unknown>,
  model: MockModel,
): Part | undefined {
  const fieldName = namedPart(orm, wordsOf(name), model);
  const objects = args.filter(({ type }) => isInputObjectType(getNamedType(type)));
  const object = objects.find((one) => one.name === fieldName || objects.length === 1);
  if (fieldName === undefined || object === undefined || isList(object.type)) return undefined;
  const input = getNamedType(object.type);
  const fields = isInputObjectType(input) ? Object.values(input.getFields()) : [];
  const part = fieldOf(orm.graphQLSchema, model.typeName, keyOf(fieldName));
  const partType = part && getNamedType(part.type);
  const inPart = isObjectType(partType)
    ? fields.filter((field) => partType.getFields()[field.name] !== undefined)
    : [];
  const inRecord = fields.filter((field) => hasField(orm.graphQLSchema, model, field.name));
  if (inPart.length <= inRecord.length) return undefined;
  const owners = args.flatMap(({ name, type }): Part["owners"] => {
    const key = /^(id|token)$/.test(name) ? name : keyNamed(orm, model, name);
    return key === undefined ? [] : [{ name, type, path: [name], key }];
  });
  const unread = args.filter((arg) =>
    arg !== object && owners.every((one) => one.name !== arg.name)
  );
  const isRead = orm.conventions.unknownArguments === "ignore"
    ? unread.every(({ type }) => !isNonNullType(type))
    : unread.length === 0;
  const isFound = owners.length > 0 || currentRecord(orm, model) !== undefined;
  return isRead && isFound
    ? { model, fieldName, path: [object.name], owners, unread: unread.map(({ name }) => name) }
    : undefined;
}

/** The field of a record that is an object, and that a name has besides a verb and the model. */
function namedPart(
  { graphQLSchema }: Orm,
  words: readonly string[],
  { typeName }: MockModel,
): string | undefined {
  const own = [words.slice(1), words.slice(0, -1)].map((some) => some.join(""));
  const type = keyOf(typeName);
  const keys = own.flatMap((key) => [
    key,
    ...key.startsWith(type) ? [key.slice(type.length)] : [],
    ...key.endsWith(type) ? [key.slice(0, -type.length)] : [],
  ]);
  return keys.map((key) => fieldOf(graphQLSchema, typeName, key))
    .find((field) =>
      field !== undefined && isCompositeType(getNamedType(field.type)) && !isList(field.type)
    )?.name;
}
