import { COMPARISONS, isComparison } from "./comparisons.ts";
import type {
  AggregateFunctionName,
  AggregateRules,
  ArgumentRole,
  Dialect,
  DirectionName,
  FilterRules,
  GivenPart,
  ListRules,
  NestedOperationName,
  OrderRules,
  PageFactName,
  QuantifierName,
  ValueChangeName,
  Words,
  WriteAction,
} from "./dialect.ts";

/** Rejects a value; `path` is where it is in the dialect. */
type Check = (value: unknown, path: string) => void;

/** Every key of a type, so that a check that lacks one does not compile. */
type Each<Key extends PropertyKey, Value> = Readonly<Record<Key, Value>>;

class WrongDialect extends Error {}

/**
 * Checks a dialect that a user has written.
 *
 * @throws {TypeError} If it has a key or a value that dialects don't have; the message lists those
 * that they have.
 */
export function checkDialect(dialect: Dialect): void {
  const name: unknown = Object(dialect).name;
  try {
    DIALECT(dialect, "");
  } catch (error) {
    if (!(error instanceof WrongDialect)) throw error;
    const label = typeof name === "string" ? name : kindOf(dialect);
    throw new TypeError(`Cannot use the dialect "${label}": ${error.message}`);
  }
}

/** A value as JSON, or what it is: one that refers to itself, or is a BigInt, has no JSON. */
function shownOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return kindOf(value);
  }
}

/** A value as text, or what kind of object it is: not every object has a text. */
function kindOf(value: unknown): string {
  return Object(value) === value ? Object.prototype.toString.call(value) : String(value);
}

const text: Check = (value, path) => {
  if (typeof value !== "string" || value === "") throw wrong(value, path, "a text");
};
const names: Check = (value, path) => {
  const isNames = [value].flat().every((one) => typeof one === "string" && one !== "");
  if (!isNames) throw wrong(value, path, "a name or a list of names");
};
const anything: Check = () => {};

// Bundlers leave these tables out of pages whose dialects are all built in.
/* @__NO_SIDE_EFFECTS__ */
function oneOf(choices: Readonly<Record<string, unknown>>): Check {
  return (value, path) => {
    if (typeof value === "string" && Object.hasOwn(choices, value)) return;
    throw wrong(value, path, `one of ${Object.keys(choices).join(", ")}`);
  };
}

/* @__NO_SIDE_EFFECTS__ */
function mapOf(check: Check): Check {
  return (value, path) => {
    for (const [key, one] of entriesOf(value, path)) check(one, `${path}["${key}"]`);
  };
}

/* @__NO_SIDE_EFFECTS__ */
function either(isFirst: (value: unknown) => boolean, first: Check, second: Check): Check {
  return (value, path) => (isFirst(value) ? first : second)(value, path);
}

/** An object with some of these keys. */
/* @__NO_SIDE_EFFECTS__ */
function shape(checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path) => {
    const entries = entriesOf(value, path);
    const place = path === "" ? "it" : path;
    for (const [key, one] of entries) {
      const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
      if (check === undefined) {
        throw new WrongDialect(
          `${place} has "${key}", and its keys are ${Object.keys(checks).join(", ")}`,
        );
      }
      if (one !== undefined) check(one, path === "" ? key : `${path}.${key}`);
    }
    const missing = required.find((key) => !entries.some(([name]) => name === key));
    if (missing !== undefined) throw new WrongDialect(`${place} has no "${missing}"`);
  };
}

function entriesOf(value: unknown, path: string): [string, unknown][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  throw wrong(value, path, "an object");
}

function wrong(value: unknown, path: string, expected: string): Error {
  return new WrongDialect(
    `${path === "" ? "it" : path} is ${shownOf(value)}, rather than ${expected}`,
  );
}

const isText = (value: unknown): boolean => typeof value === "string";

const operator: Check = (value, path) => {
  const given = typeof value === "string" ? value : "";
  if (isComparison(given.replace(/^not /, "").replace(/ ignoring case$/, ""))) return;
  const all = Object.keys(COMPARISONS).join(", ");
  throw wrong(value, path, `one of ${all}, "not" before it and "ignoring case" after it`);
};

const QUANTIFIERS: Each<QuantifierName, 0> = { some: 0, every: 0, none: 0, "is not": 0 };
const quantifier = oneOf(QUANTIFIERS);

const DIRECTIONS: Each<DirectionName, 0> = {
  ...{ asc: 0, "asc nulls first": 0, "asc nulls last": 0 },
  ...{ desc: 0, "desc nulls first": 0, "desc nulls last": 0 },
};
const FORMS: Each<NonNullable<OrderRules["form"]>, 0> = {
  ...{ "{field: direction}": 0, "{field, direction}": 0, FIELD_DIRECTION: 0 },
  ...{ "field:direction": 0, field: 0 },
};
const ORDER: Each<keyof OrderRules, Check> = {
  ...{ argument: names, form: oneOf(FORMS), direction: names, reverse: names },
  directions: mapOf(oneOf(DIRECTIONS)),
};
const FILTER: Each<keyof FilterRules, Check> = {
  ...{ argument: names, and: names, or: names, not: names },
  related: either(isText, quantifier, mapOf(quantifier)),
  operators: mapOf(operator),
};
const FACTS: Each<PageFactName, 0> = {
  ...{ total: 0, size: 0, offset: 0, page: 0, pages: 0, "has next": 0, "has previous": 0 },
  ...{ "next page": 0, "previous page": 0, "start cursor": 0, "end cursor": 0 },
  ...{ "next cursor": 0, "previous cursor": 0 },
};
const LIST: Each<keyof ListRules, Check> = {
  ...{ limit: names, offset: names, page: names, first: names, last: names, after: names },
  ...{ before: names, position: names, nodes: names, facts: mapOf(oneOf(FACTS)) },
  order: shape(ORDER),
  filter: shape(FILTER, ["argument"]),
};
const FUNCTIONS: Each<AggregateFunctionName, 0> = {
  ...{ count: 0, distinct: 0, sum: 0, avg: 0, min: 0, max: 0 },
};
const AGGREGATE: Each<keyof AggregateRules, Check> = {
  ...{ count: names, field: names, value: text, nodes: text, functions: mapOf(oneOf(FUNCTIONS)) },
};

const ACTIONS: Each<WriteAction, 0> = { create: 0, update: 0, delete: 0, upsert: 0 };
const ROLES: Each<ArgumentRole, 0> = {
  ...{ key: 0, filter: 0, condition: 0, value: 0, values: 0, "values[]": 0, created: 0 },
  ...{ change: 0, conflict: 0, skip: 0, ignored: 0 },
};
const PARTS: Each<GivenPart, 0> = {
  ...{ record: 0, records: 0, edge: 0, count: 0, id: 0, ids: 0, "deleted id": 0, field: 0 },
  ...{ clientMutationId: 0, query: 0, true: 0, none: 0 },
};
const part = oneOf(PARTS);
const role = oneOf(ROLES);
const MUTATION: Readonly<Record<string, Check>> = {
  does: oneOf(ACTIONS),
  gives: either(isText, part, mapOf(part)),
  set: either(isText, role, mapOf(anything)),
};
const mutation: Check = (value, path) => {
  for (const [key, one] of entriesOf(value, path)) {
    const check = Object.hasOwn(MUTATION, key) ? MUTATION[key] : undefined;
    (check ?? role)(one, `${path}.${key}`);
  }
  for (const key of ["does", "gives"]) {
    if (!Object.hasOwn(Object(value), key)) throw new WrongDialect(`${path} has no "${key}"`);
  }
};

const OPERATIONS: Each<NestedOperationName, 0> = {
  ...{ set: 0, connect: 0, disconnect: 0, create: 0, createMany: 0, connectOrCreate: 0 },
  ...{ update: 0, updateMany: 0, upsert: 0, delete: 0, deleteMany: 0, conflict: 0 },
};
const CHANGES: Each<ValueChangeName, 0> = {
  ...{ set: 0, unset: 0, increment: 0, decrement: 0, multiply: 0, divide: 0, push: 0 },
  ...{ append: 0, prepend: 0, deleteKey: 0, deleteElement: 0 },
};
const WORDS: Each<keyof Words, Check> = {
  ...{
    begin: text,
    undo: text,
    reorder: text,
    create: text,
    update: text,
    change: text,
    delete: text,
    upsert: text,
    close: text,
  },
  ...{ fillers: text, prepositions: text, many: text, find: text, condition: text },
  ...{ conflict: text, written: text, limit: text, offset: text, page: text, group: text },
  ...{ order: text, reverse: text, anyOrder: text, search: text, context: text, aggregate: text },
  ...{ login: text, signup: text, logout: text, mail: text, viewer: text },
};
/** `engine` is the code that `defineDialect()` adds. */
const KEYS: Each<keyof Dialect | "engine", Check> = {
  name: text,
  list: shape(LIST),
  byKey: names,
  aggregate: shape(AGGREGATE),
  mutations: mapOf(mutation),
  nested: mapOf(oneOf(OPERATIONS)),
  changes: mapOf(oneOf(CHANGES)),
  words: shape(WORDS),
  engine: anything,
};
const DIALECT = shape(KEYS, ["name"]);
