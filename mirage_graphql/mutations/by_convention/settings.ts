import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { fieldsOf, isList } from "../../schema/types.ts";
import { keyOf } from "../../shared/names.ts";
import { isObject } from "../../shared/values.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { type Answer, NO_ITEM, type Values, type WriteIntent } from "../write_intent.ts";
import { inputsOf } from "../mutation_input.ts";

type Field = GraphQLField<unknown, unknown>;

/** An object that exists once: what a root field without arguments returns, or a field of that. */
interface Settings {
  readonly model: MockModel;
  /** The field of it that a mutation writes; without one, it writes the object itself. */
  readonly part: string | undefined;
  /** The type of what is written; `undefined` for a scalar whose values are objects. */
  readonly type: GraphQLObjectType | undefined;
}

/**
 * What a mutation writes of values that exist once: `configureGeneral(input): General` changes what
 * the root field `configuration { general }` returns, whose type has no id. The first write stores
 * them as a record.
 */
export function settingsChange(
  orm: Orm,
  { field, verb, refuse }: TypedField,
): WriteIntent | undefined {
  const settings = verb === "create" || verb === "delete" ? undefined : settingsOf(orm, field);
  if (settings === undefined || !takesValues(field, settings)) return undefined;
  const { model, part } = settings;
  const stored = () => orm.store.of(model).first();
  return {
    action: "upsert",
    models: [model],
    isPartial: true,
    answer: answerOf(settings),
    refuse,
    read(args) {
      const old = part === undefined ? undefined : stored()?.[part];
      const values = settings.type === undefined
        ? mapValues(args, isObject(old) ? old : {})
        : { ...isObject(old) ? old : {}, ...givenValues(field, args) };
      return [{ ...NO_ITEM, values: part === undefined ? values : { [part]: values } }];
    },
    find() {
      const record = stored();
      if (record === undefined) return [];
      return [{ model, ref: { modelName: model.modelName, id: String(record.id) } }];
    },
  };
}

function answerOf({ model, part }: Settings): Answer {
  if (part === undefined) return ({ values: [value] }) => value;
  if (model.relations.has(part)) return ({ related }) => related(part);
  return ({ values: [value] }) => isObject(value) ? value[part] : null;
}

/** What the type of a mutation is the type of, among what root fields without arguments return. */
function settingsOf({ graphQLSchema, models }: Orm, { name, type }: Field): Settings | undefined {
  const written = getNamedType(type);
  if (isList(type)) return undefined;
  const roots = plainFields(graphQLSchema.getQueryType()).flatMap((root) => {
    const rootType = getNamedType(root.type);
    const model = models.ofType(rootType.name);
    return isObjectType(rootType) && model !== undefined && !isIdentified(rootType, model)
      ? [{ rootType, model }]
      : [];
  });
  const found = roots.flatMap(({ rootType, model }): Settings[] => {
    if (rootType === written) return [{ model, part: undefined, type: rootType }];
    return plainFields(rootType).filter((field) => getNamedType(field.type) === written)
      .flatMap((field): Settings[] => {
        if (isObjectType(written)) {
          const own = models.ofType(written.name);
          const isOnce = own === undefined || !isIdentified(written, own);
          return isOnce ? [{ model, part: field.name, type: written }] : [];
        }
        const isMap = isScalarType(written) && !isSpecifiedScalarType(written);
        const isNamed = keyOf(name).includes(keyOf(field.name));
        return isMap && isNamed ? [{ model, part: field.name, type: undefined }] : [];
      });
  });
  const [settings, ...others] = found;
  return others.length === 0 ? settings : undefined;
}

/** The fields of a type that take no arguments and return no list. */
function plainFields(type: GraphQLObjectType | undefined | null): readonly Field[] {
  return fieldsOf(type)
    .filter((field) => field.args.length === 0 && !isList(field.type));
}

function isIdentified(type: GraphQLObjectType, { key }: MockModel): boolean {
  return type.getFields().id !== undefined || key !== undefined;
}

/** Whether the arguments have values of the object, or are themselves such objects. */
function takesValues(field: Field, { type }: Settings): boolean {
  const inputs = inputsOf(field.args);
  if (type !== undefined) {
    const known = inputs.filter(({ name }) => type.getFields()[name] !== undefined);
    return known.length > 0 && known.length * 2 > inputs.length;
  }
  const isEntry = inputs.length === 2 && inputs.some(({ name }) => name === "key") &&
    inputs.some(({ name }) => name === "value");
  const result = getNamedType(field.type);
  return isEntry ||
    inputs.length > 0 && inputs.every((input) => getNamedType(input.type) === result);
}

function givenValues(field: Field, args: Values): Values {
  const given = inputsOf(field.args).map(({ name, path }) => [name, read(args, path)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** An object without a type after a call: all of it, some of its entries, or the one with a key. */
function mapValues({ key, value, ...others }: Values, old: Values): Values {
  if (typeof key === "string") return { ...old, [key]: value };
  return Object.entries(others).reduce<Values>((values, [name, given]) => {
    if (!isObject(given)) return values;
    return /partial|patch|merge/i.test(name) ? { ...values, ...given } : given;
  }, old);
}
