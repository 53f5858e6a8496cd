import { getNamedType, isEnumType, isLeafType, isObjectType } from "graphql";
import { findRefs, matchKeys } from "../../arguments/where.ts";
import {
  hasField,
  type MockModel,
  type Relation,
  relationNamed,
  relationsTo,
  relationTo,
} from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { fieldOf, fieldsOf, isList } from "../../schema/types.ts";
import { keyOf } from "../../shared/names.ts";
import { isObject } from "../../shared/values.ts";
import type { Values, WriteIntent } from "../write_intent.ts";
import { IDENTIFYING, isReferred, keyNamed } from "./references.ts";

/** Changes the values that an intent writes, and those of what it does instead. */
export function withValues(
  intent: WriteIntent,
  change: (values: Values) => Values,
): WriteIntent {
  const changed = (values: Values | undefined) => values && change(values);
  return {
    ...intent,
    read: (args, call) =>
      intent.read(args, call).map((item) => {
        const [values, created] = [changed(item.values), changed(item.created)];
        return values === item.values && created === item.created
          ? item
          : { ...item, values, created };
      }),
    instead(args, call) {
      const other = intent.instead?.(args, call);
      return other && !("reason" in other) ? withValues(other, change) : other;
    },
  };
}

/**
 * Puts values where queries read them: a slug or code where a relation leads to the record that has
 * it (`channel: "default"`, `countryCode: "FR"`), a code for an object without a record into that
 * (`country: FR` into `country { code name }`), and what only a part of an updated record has into that
 * (`bio` into `profile { bio }`).
 */
export function withWrittenValues(orm: Orm, intent: WriteIntent): WriteIntent {
  const { action, models: [model, ...others] } = intent;
  if (model === undefined || others.length > 0 || action === "delete") return intent;
  const type = orm.graphQLSchema.getType(model.typeName);
  const plain = new Set(
    Object.values(isObjectType(type) ? type.getFields() : {})
      .filter(({ name, type }) => isLeafType(getNamedType(type)) && !relationNamed(model, name))
      .map(({ name }) => name),
  );
  const isPlain = (name: string) => plain.has(name);
  return withValues(
    intent,
    (values) =>
      Object.keys(values).every(isPlain)
        ? values
        : toWritten(orm, model, values, action === "update"),
  );
}

function toWritten(orm: Orm, model: MockModel, values: Values, isUpdate: boolean): Values {
  const names = Object.keys(values);
  const written = names.map((name) => entryOf(orm, model, [name, values[name]], isUpdate));
  const isNamed = written.every(([name], index) => name === names[index]);
  if (isNamed && written.every(([name, value]) => value === values[name])) return values;
  return isNamed ? Object.fromEntries(written) : written.reduce<Values>((all, [name, value]) => {
    const old = all[name];
    return { ...all, [name]: isObject(old) && isObject(value) ? joined(old, value) : value };
  }, {});
}

/** Two parts of one object, which may be in an operation. */
function joined(one: Values, other: Values): Values {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => {
    const [left, right] = [one[name], other[name]];
    return [name, isObject(left) && isObject(right) ? joined(left, right) : right ?? left];
  }));
}

function entryOf(
  orm: Orm,
  model: MockModel,
  [name, value]: readonly [name: string, value: unknown],
  isUpdate: boolean,
): readonly [name: string, value: unknown] {
  const relation = relationNamed(model, name);
  if (relation !== undefined) return [name, relatedValue(orm, relation, value)];
  if (hasField(orm.graphQLSchema, model, name)) return [name, objectValue(orm, model, name, value)];
  if (!isUpdate || value === undefined) return [name, value];
  const keyed = keyedRelation(orm, model, name);
  const isText = typeof value === "string";
  const id = keyed?.isById ? value : keyed && isText ? idBy(orm, keyed.owner, value) : undefined;
  if (keyed !== undefined && id !== undefined) return [keyed.relation.name, id];
  const part = partWith(orm, model, name);
  return part === undefined ? [name, value] : [part, partValue(model, part, { [name]: value })];
}

/** The id of the record that has a text, if it is no id. */
function relatedValue(orm: Orm, { modelName, isList }: Relation, value: unknown): unknown {
  const owner = modelName === undefined ? undefined : orm.models.ofModel(modelName);
  if (owner === undefined || isList) return value;
  if (isObject(value)) {
    return hasOperation(orm, owner, value) ? value : toWritten(orm, owner, value, false);
  }
  const isText = typeof value === "string" && !isReferred(orm, { model: owner, key: "id" }, value);
  return isText ? idBy(orm, owner, value) ?? value : value;
}

/** Whether an object has something else than values of a record, such as `connect`. */
function hasOperation({ graphQLSchema }: Orm, model: MockModel, value: Values): boolean {
  return Object.keys(value).some((name) => !hasField(graphQLSchema, model, name));
}

/** The id of the only record that a text identifies. */
function idBy(orm: Orm, model: MockModel, value: string): string | undefined {
  const keys = fieldsOf(orm.graphQLSchema.getType(model.typeName))
    .filter(({ name, type }) => IDENTIFYING.test(name) && isLeafType(getNamedType(type)))
    .map(({ name }) => name);
  for (const key of keys) {
    const [found, ...others] = findRefs(orm, model, [matchKeys(orm, model, { [key]: value })]);
    if (found !== undefined && others.length === 0) return found.id;
  }
  return undefined;
}

/** A relation to one record that an argument names, and the model that it leads to. */
interface KeyedRelation {
  readonly relation: Relation;
  readonly owner: MockModel;
  /** Whether the argument has an id, rather than a value of another attribute. */
  readonly isById: boolean;
}

/**
 * The relation to one record that a name says by an attribute, `country` for `countryCode`, or by an
 * id with its type or without: `cover` for `coverImageId`, `parentStudio` for `parentId`.
 */
export function keyedRelation(
  orm: Orm,
  { relations }: MockModel,
  name: string,
): KeyedRelation | undefined {
  const found = [...relations.values()].flatMap((relation) => {
    const owner = orm.models.ofModel(relation.modelName ?? "");
    if (owner === undefined || relation.isList) return [];
    const [own, type] = [keyOf(relation.name), keyOf(owner.typeName)];
    const isById = [own + type, own.replace(type, "") || own]
      .some((one) => keyOf(name) === `${one}id`);
    const key = keyNamed(orm, owner, name) ?? "id";
    return isById || key !== "id" ? [{ relation, owner, isById }] : [];
  });
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

/** An object that has a plain value, where a field returns an object. */
function objectValue(
  { graphQLSchema }: Orm,
  { typeName }: MockModel,
  name: string,
  value: unknown,
): unknown {
  if (typeof value !== "string") return value;
  const field = fieldOf(graphQLSchema, typeName, name);
  const type = field && getNamedType(field.type);
  if (!field || !isObjectType(type) || isList(field.type)) return value;
  const own = fieldsOf(type);
  const key = own.find((one) => IDENTIFYING.test(one.name)) ??
    own.find((one) => isEnumType(getNamedType(one.type)));
  if (key === undefined) return value;
  const label = /country/i.test(name) && /^[A-Z]{2}$/.test(value)
    ? own.find((one) => /^(country|name)$/.test(one.name))
    : undefined;
  const named = label && { [label.name]: REGIONS.of(value) };
  return { [key.name]: value, ...named };
}

/** The names of countries by their codes. */
const REGIONS = /* @__PURE__ */ new Intl.DisplayNames("en", { type: "region" });

/** The only field with an object of the record alone that has a plain value of this name. */
function partWith(orm: Orm, model: MockModel, name: string): string | undefined {
  const parts = fieldsOf(orm.graphQLSchema.getType(model.typeName)).filter((field) => {
    const inner = getNamedType(field.type);
    const own = fieldOf(orm.graphQLSchema, inner.name, name);
    return own !== undefined && !isList(field.type) && isLeafType(getNamedType(own.type)) &&
      field.args.length === 0 && isOwnPart(orm, model, inner.name);
  });
  const [only, ...others] = parts;
  return others.length === 0 ? only?.name : undefined;
}

/** Whether a type is a part of a record: it has no id, or belongs to one record, which has one. */
function isOwnPart({ graphQLSchema, models }: Orm, model: MockModel, typeName: string): boolean {
  const part = models.ofType(typeName);
  if (part === undefined || fieldOf(graphQLSchema, typeName, "id") === undefined) return true;
  return relationTo(part, model, false) !== undefined && relationsTo(model, part).length === 1;
}

/** Values of a part: of the record that a relation leads to, or of an object. */
function partValue({ relations }: MockModel, part: string, values: Values): unknown {
  return relations.has(part) ? { upsert: { create: values, update: values } } : values;
}
