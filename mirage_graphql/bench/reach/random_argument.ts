import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import type { Draw } from "../../testing/properties/draw.ts";
import { type KnownRecords, targetTypes } from "./known_records.ts";

/** What random queries are made from. */
export interface QuerySource {
  readonly schema: GraphQLSchema;
  /** Records whose ids and values arguments use. */
  readonly known: KnownRecords;
  /** Whether optional arguments are given, too. */
  readonly hasOptional: boolean;
}

/** An argument of a field. */
export interface ArgumentPlace {
  readonly field: GraphQLField<unknown, unknown>;
  readonly arg: GraphQLArgument;
}

/** A value to create: for what, and how deep in input objects. */
interface ValuePlace {
  readonly name: string;
  readonly targets: readonly string[];
  readonly depth: number;
}

/** Levels of input objects below an argument. */
const DEPTH = 3;

/** Creates a value of the argument's type, mostly one that a known record has. */
export function randomArgument(
  draw: Draw,
  source: QuerySource,
  { field, arg }: ArgumentPlace,
): unknown {
  const targets = targetTypes(source.schema, field);
  return new ValueMaker(draw, source).value(arg.type, { name: arg.name, targets, depth: 0 });
}

class ValueMaker {
  readonly #draw: Draw;
  readonly #known: KnownRecords;
  readonly #hasOptional: boolean;

  constructor(draw: Draw, { known, hasOptional }: QuerySource) {
    this.#draw = draw;
    this.#known = known;
    this.#hasOptional = hasOptional;
  }

  value(type: GraphQLInputType, place: ValuePlace): unknown {
    if (isNonNullType(type)) return this.value(type.ofType, place);
    if (isListType(type)) {
      const length = this.#draw.int(1, 2);
      return Array.from({ length }, () => this.value(type.ofType, place));
    }
    const named = getNamedType(type);
    if (isEnumType(named)) return this.#draw.pick(named.getValues()).name;
    if (isInputObjectType(named)) return this.#object(named, place);
    return this.#scalar(named.name, place);
  }

  #object(type: GraphQLInputObjectType, place: ValuePlace): Record<string, unknown> {
    const fields = Object.values(type.getFields());
    const isOneOf = "isOneOf" in type && type.isOneOf;
    const given = isOneOf ? [this.#draw.pick(fields)] : fields.filter((field) => {
      if (isRequiredInputField(field)) return true;
      const mayBeGiven = this.#hasOptional && place.depth < DEPTH;
      return mayBeGiven && this.#draw.chance(1, Math.min(fields.length, 3));
    });
    return Object.fromEntries(given.map(({ name, type: fieldType }) => {
      return [name, this.value(fieldType, { ...place, name, depth: place.depth + 1 })];
    }));
  }

  #scalar(typeName: string, { name, targets }: ValuePlace): unknown {
    const values = typeName === "ID" ? this.#known.ids(targets) : this.#known.values(targets, name);
    const fitting = values.filter((value) => fits(typeName, value));
    const isId = typeName === "ID" || name === "id";
    if (fitting.length > 0 && (isId || this.#draw.chance(4, 5))) return this.#draw.pick(fitting);
    return this.#made(typeName);
  }

  #made(typeName: string): unknown {
    if (typeName === "Boolean") return this.#draw.chance(1, 2);
    if (typeName === "Int") return this.#draw.int(1, 5);
    if (typeName === "Float") return this.#draw.int(1, 100) / 4;
    if (typeName === "ID") return String(this.#draw.int(1, 5));
    if (/date|time/i.test(typeName)) return "2026-01-15T08:30:00Z";
    if (/json|object|map/i.test(typeName)) return { key: "value" };
    if (/int|decimal|number|money/i.test(typeName)) return this.#draw.int(1, 5);
    return this.#draw.pick(["main", "shoes", "Ada"]);
  }
}

function fits(typeName: string, value: unknown): boolean {
  if (typeName === "Boolean") return typeof value === "boolean";
  if (typeName === "Int") return Number.isInteger(value);
  if (typeName === "Float") return typeof value === "number";
  if (typeName === "ID" || typeName === "String") return typeof value === "string";
  return value !== null && value !== undefined;
}

/** Prints a value as a literal of GraphQL, with enum values by their type. */
export function printValue(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return printValue(value, type.ofType);
  if (Array.isArray(value)) {
    const ofType = isListType(type) ? type.ofType : type;
    return `[${value.map((item) => printValue(item, ofType)).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const fields = isInputObjectType(type) ? type.getFields() : {};
    const parts = Object.entries(value).map(([name, item]) =>
      `${name}: ${printValue(item, fields[name]?.type ?? type)}`
    );
    return `{${parts.join(", ")}}`;
  }
  return isEnumType(type) ? String(value) : JSON.stringify(value);
}
