import { countedKey, keyOf, wordsOf } from "../shared/names.ts";
import {
  getNamedType,
  getNullableType,
  type GraphQLEnumType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { isObjectScalar } from "../schema/leaf_default.ts";
import { possibleTypes } from "../schema/types.ts";
import { copyValue } from "../shared/values.ts";
import { addMoney, isMoney } from "../totals/money.ts";
import { currencyOf, placeOf } from "./fake_places.ts";
import { fakeText } from "./fake_text.ts";
import { ageOf, dateTimeOf, type FakeField, type Fakes, fakesFor } from "./fakes.ts";

/** Embedded objects that are nested deeper are omitted. */
const MAX_DEPTH = 4;

/** Where a value is generated. */
export interface ValueOf extends FakeField {
  /** How deeply the field is nested in embedded objects and lists. */
  readonly depth?: number;
  /** Whether a type has records, to which embedded objects don't refer. */
  readonly hasRecords?: (typeName: string) => boolean;
  /** The id of a record for a field that is named after its type, such as `productId`. */
  readonly idFor?: (field: FakeField) => unknown;
}

/** Generates a value that fits a type and looks like what the field's name says. */
export function fakeValue(
  graphQLSchema: GraphQLSchema,
  type: GraphQLOutputType,
  field: ValueOf,
): unknown {
  const { depth = 0, index, ownerName = field.typeName, hasRecords = () => false, idFor } = field;
  if (isNonNullType(type)) return fakeValue(graphQLSchema, type.ofType, field);
  if (isListType(type)) {
    const isTooDeep = isCompositeType(getNamedType(type)) && depth + 1 >= MAX_DEPTH;
    if (isTooDeep || depth >= MAX_DEPTH) return [];
    const one = (position: number) => ({ ...field, depth: depth + 1, index: index * 3 + position });
    return Array.from(
      { length: fakesOf(field).number.int({ min: 2, max: 3 }) },
      (_, position) => fakeValue(graphQLSchema, type.ofType, one(position)),
    );
  }
  if (isEnumType(type)) return pickValue(fakesOf(field), type, field);
  if (isAbstractType(type)) {
    const [first] = graphQLSchema.getPossibleTypes(type);
    const value = first && fakeValue(graphQLSchema, first, field);
    return value ? { __typename: first.name, ...value } : null;
  }
  if (!isObjectType(type)) return idFor?.(field) ?? fakeScalar(type.name, fakesOf(field), field);
  if (depth >= MAX_DEPTH) return null;
  const fields = Object.values(type.getFields()).map(({ name, type: fieldType }) => {
    const inner = { ownerName, typeName: type.name, fieldName: name, index, depth: depth + 1 };
    if (leadsToRecords(graphQLSchema, fieldType, hasRecords)) {
      if (isListType(getNullableType(fieldType))) return [name, []];
      if (!isNonNullType(fieldType)) return [name, null];
    }
    return [name, fakeValue(graphQLSchema, fieldType, { ...inner, hasRecords, idFor })];
  });
  const values = withLengths(type, Object.fromEntries(fields));
  return isMoney(type) ? withoutTax(values) : values;
}

/** An amount without a tax, and in cents what it is in dollars. */
function withoutTax(values: Record<string, unknown>): Record<string, unknown> {
  const { gross, net, tax, amount, fractionalAmount } = values;
  return {
    ...values,
    ...net !== undefined && gross !== undefined && { net: copyValue(gross) },
    ...tax !== undefined && gross !== undefined && { tax: addMoney([[gross, 0]]) },
    ...typeof fractionalAmount === "number" &&
      { fractionalAmount: Math.round(Number(amount) * 100), fractionDigits: 2 },
  };
}

/**
 * The values of an object whose numbers are the lengths of its lists: `totalItems` that of `items`,
 * and `totalCount`, `count` or, without an `id`, `total` that of `items`, `results`, `nodes`, `hits` or the only list. Lists
 * that the values lack, as those of records do, have no length here.
 */
export function withLengths(
  type: GraphQLObjectType,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const fields = Object.values(type.getFields());
  const lists = fields.filter(({ name }) => Array.isArray(values[name]));
  const [main = lists.length === 1 ? lists[0] : undefined] = lists
    .filter(({ name }) => /^(items|results|nodes|hits|records|data|edges)$/i.test(name));
  const numbers = fields.filter((field) => String(getNullableType(field.type)) === "Int");
  const lengths = numbers.flatMap(({ name }) => {
    const isMain = name === "count" || name === "total" && type.getFields().id === undefined;
    const key = isMain ? "" : countedKey(name);
    const list = key === "" ? main : lists.find((one) => keyOf(one.name) === key);
    const value = list && values[list.name];
    return Array.isArray(value) ? [[name, value.length]] : [];
  });
  return { ...values, ...Object.fromEntries(lengths) };
}

function leadsToRecords(
  graphQLSchema: GraphQLSchema,
  type: GraphQLOutputType,
  hasRecords: (typeName: string) => boolean,
): boolean {
  const named = getNamedType(type);
  const types = isObjectType(named) || isAbstractType(named)
    ? possibleTypes(graphQLSchema, named)
    : [];
  return types.some(({ name }) => hasRecords(name));
}

function fakesOf({ typeName, fieldName, index }: FakeField): Fakes {
  // a price is the same with its tax, which is zero
  const name = fieldName.replace(/_?(with|incl|including)_?tax$/i, "");
  return fakesFor(`${typeName}.${name}.${index}.value`);
}

/**
 * The country of the place, or the currency of all amounts, if an enum has it; `null` for an enum
 * without values, which a schema may have if its parts are added later.
 */
function pickValue(fakes: Fakes, type: GraphQLEnumType, field: FakeField): unknown {
  const values = type.getValues();
  const name = `${type.name} ${field.fieldName}`;
  const text = /currency/i.test(name)
    ? currencyOf(field)
    : /country/i.test(name)
    ? placeOf(field).countryCode
    : undefined;
  const fitting = values.find((one) => one.name === text);
  return values.length === 0 ? null : (fitting ?? fakes.helpers.arrayElement([...values])).value;
}

/**
 * Generates the plain values of the query type, such as `version: String!`, which neither records
 * nor seed files contain. Numbers that count records, such as `postsCount`, are omitted.
 */
export function fakeRoot(graphQLSchema: GraphQLSchema): Record<string, unknown> {
  const query = graphQLSchema.getQueryType();
  if (!query) return {};
  const values = Object.values(query.getFields()).filter(({ name, type }) =>
    isLeafType(getNamedType(type)) &&
    !(String(getNullableType(type)) === "Int" && countedKey(name) !== undefined)
  );
  return Object.fromEntries(values.map(({ name, type }) => {
    const field = { typeName: query.name, fieldName: name, index: 0 };
    return [name, fakeValue(graphQLSchema, type, field)];
  }));
}

function fakeScalar(scalarName: string, fakes: Fakes, field: FakeField): unknown {
  // PostgreSQL's money is a text
  if (scalarName === "Money") return Math.round(fakeNumber(fakes, field) * 100);
  switch (scalarName.toLowerCase()) {
    case "boolean":
      return fakes.datatype.boolean();
    case "int":
    case "bigint":
    case "long":
    case "positiveint":
    case "nonnegativeint":
    case "unsignedint":
      return Math.round(fakeNumber(fakes, field));
    case "float":
    case "decimal":
    case "positivedecimal":
    case "bigdecimal":
    case "double":
      return fakeNumber(fakes, field);
    case "id":
      return isText(field) ? fakeText(field) : String(fakes.number.int({ min: 1, max: 999 }));
    case "date":
    case "localdate":
      return dateTimeOf(field).slice(0, 10);
    case "time":
    case "localtime":
      return isMoment(field) ? dateTimeOf(field) : dateTimeOf(field).slice(11, 19);
    case "datetime":
    case "timestamp":
    case "instant":
    case "iso8601datetime":
      return dateTimeOf(field);
    case "json":
    case "jsonobject":
      return { sample: true };
    case "uuid":
      return fakes.string.uuid();
    case "url":
    case "uri":
      return fakeText(isImage(field) ? field : { ...field, fieldName: `${field.fieldName}Url` });
    case "email":
    case "emailaddress":
      return fakeText({ ...field, fieldName: "email" });
    default:
      return isObjectScalar(scalarName) ? {} : fakeText(field);
  }
}

/** Whether an identifier is named after a text, as in `slug: ID!`. */
function isText({ fieldName }: FakeField): boolean {
  return /^(user_?name|login|handle|slug|e?mail|sku|isbn|locale|url|uri|path|(full_?)?name)$/i
    .test(fieldName);
}

/** Whether a name says more than a time of day, as in `created_at: Time!`. */
function isMoment({ fieldName }: FakeField): boolean {
  return /(^|_)(at|on|date|timestamp|created|updated|modified|published|deleted|since|until)(_|$)/
    .test(wordsOf(fieldName).join("_"));
}

function isImage({ fieldName }: FakeField): boolean {
  return /avatar|image|photo|picture|thumbnail|logo|icon/i.test(fieldName);
}

const RANGES: readonly [RegExp, number, number][] = [
  [/(?<!with_|incl_|including_)(?<![^_])tax(_(rate|total|amount|price|value))?$/, 0, 0],
  [/year/, 1980, 2024],
  [/month/, 1, 12],
  [/day/, 1, 28],
  [/(rating|score)_?100/, 0, 100],
  [/rating|stars|score/, 1, 5],
  [/percent|progress|discount/, 0, 100],
  [/position|order|rank|index|level|priority/, 1, 10],
  [/quantity|stock|count/, 1, 50],
  [/salary/, 30_000, 120_000],
  [/price|amount|total|cost|balance|fee/, 5, 500],
  [/size|length|width|height|weight|duration|minutes|seconds/, 1, 240],
];

/** A number that fits the field's name, with at most two decimals. */
function fakeNumber(fakes: Fakes, field: FakeField): number {
  const name = wordsOf(field.fieldName).join("_");
  if (/age$/.test(name)) return ageOf(field);
  if (/lat(itude)?$/.test(name)) return placeOf(field).latitude;
  if (/(lng|lon(gitude)?)$/.test(name)) return placeOf(field).longitude;
  const [, min = 1, max = 100] = RANGES.find(([pattern]) => pattern.test(name)) ?? [];
  return fakes.number.float({ min, max, fractionDigits: 2 });
}
