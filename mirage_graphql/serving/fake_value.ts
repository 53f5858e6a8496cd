import {
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { createRandom, type Random } from "./random.ts";
import { dateTime, type SamplePlace, sampleText, uuid } from "./sample_text.ts";

/** Embedded objects deeper than that are left out. */
const MAX_DEPTH = 4;

/** Makes up a value that fits a type and looks like what the field's name says. */
export function sampleValue(
  graphQLSchema: GraphQLSchema,
  type: GraphQLOutputType,
  place: SamplePlace & { readonly depth?: number },
): unknown {
  const { depth = 0, index } = place;
  const random = createRandom(`${place.typeName}.${place.fieldName}.${index}.value`);
  if (isNonNullType(type)) return sampleValue(graphQLSchema, type.ofType, place);
  if (isListType(type)) {
    if (depth >= MAX_DEPTH) return [];
    const one = (position: number) => ({ ...place, depth: depth + 1, index: index * 3 + position });
    return Array.from(
      { length: random.integer(2, 3) },
      (_, position) => sampleValue(graphQLSchema, type.ofType, one(position)),
    );
  }
  if (isEnumType(type)) return random.pick(type.getValues())?.value;
  if (isAbstractType(type)) {
    const [first] = graphQLSchema.getPossibleTypes(type);
    const value = first && sampleValue(graphQLSchema, first, place);
    return value ? { __typename: first.name, ...value } : null;
  }
  if (!isObjectType(type)) return sampleScalar(type.name, random, place);
  if (depth >= MAX_DEPTH) return null;
  const fields = Object.values(type.getFields()).map(({ name, type: fieldType }) => {
    const inner = { typeName: type.name, fieldName: name, index, depth: depth + 1 };
    return [name, sampleValue(graphQLSchema, fieldType, inner)];
  });
  return Object.fromEntries(fields);
}

function sampleScalar(scalarName: string, random: Random, place: SamplePlace): unknown {
  switch (scalarName.toLowerCase()) {
    case "boolean":
      return random.integer(0, 1) === 1;
    case "int":
    case "bigint":
    case "long":
    case "positiveint":
    case "nonnegativeint":
    case "unsignedint":
      return sampleInteger(random, place);
    case "float":
    case "decimal":
    case "double":
      return sampleFloat(random, place);
    case "id":
      return String(random.integer(1, 999));
    case "date":
    case "localdate":
      return dateTime(random).slice(0, 10);
    case "time":
    case "localtime":
      return dateTime(random).slice(11, 19);
    case "datetime":
    case "timestamp":
    case "instant":
    case "iso8601datetime":
      return dateTime(random);
    case "json":
    case "jsonobject":
      return { sample: true };
    case "uuid":
      return uuid(random);
    case "url":
    case "uri":
      return sampleText({ ...place, fieldName: "url" });
    case "email":
    case "emailaddress":
      return sampleText({ ...place, fieldName: "email" });
    default:
      return sampleText(place);
  }
}

const RANGES: readonly [RegExp, number, number][] = [
  [/age$/, 18, 80],
  [/year/, 1980, 2024],
  [/month/, 1, 12],
  [/day/, 1, 28],
  [/rating|stars|score/, 1, 5],
  [/percent|progress/, 0, 100],
  [/position|order|rank|index|level|priority/, 1, 10],
  [/price|amount|total|cost|salary|balance/, 5, 500],
  [/size|length|width|height|weight|duration|minutes|seconds/, 1, 240],
  [/lat(itude)?$/, -60, 60],
  [/(lng|lon(gitude)?)$/, -120, 120],
];

function rangeOf({ fieldName }: SamplePlace): readonly [number, number] {
  const [, from = 1, to = 100] =
    RANGES.find(([pattern]) => pattern.test(fieldName.toLowerCase())) ??
      [];
  return [from, to];
}

function sampleInteger(random: Random, place: SamplePlace): number {
  return random.integer(...rangeOf(place));
}

function sampleFloat(random: Random, place: SamplePlace): number {
  const [from, to] = rangeOf(place);
  return random.integer(from * 100, to * 100) / 100;
}
