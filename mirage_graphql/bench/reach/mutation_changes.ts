import { type DocumentNode, type GraphQLSchema, Kind } from "graphql";
import type { CheckedMock, CreateCheckedMock } from "../../checking/checked_mock.ts";
import type { AppOperation } from "../../checking/collect_operations.ts";
import { makeVariables } from "../../checking/make_variables.ts";
import { toSentDocument } from "../../checking/sent_document.ts";
import type { Outcome } from "../../execution/outcome.ts";
import type { Orm } from "../../orm/orm.ts";
import { tableOf } from "../../orm/writes/record_ref.ts";
import { isObject } from "../../shared/values.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a mutation did to a mock with sample records. */
export interface MutationChanges {
  readonly name: string;
  /** The field of the mutation type, with its arguments and types. */
  readonly fields: readonly string[];
  readonly variables: Values;
  readonly errors: readonly string[];
  readonly data: unknown;
  readonly warnings: readonly string[];
  /** One line for each record that was added, removed or changed. */
  readonly changes: readonly string[];
}

type Tables = ReadonlyMap<string, ReadonlyMap<string, Values>>;

/**
 * Runs a mutation on records of its own, with variables that differ from what the records have; where
 * those are refused, with the values of the records.
 */
export async function tryMutation(
  operation: AppOperation,
  createMock: CreateCheckedMock,
): Promise<MutationChanges> {
  const varied = await runOnce(operation, createMock(), otherValue);
  if (varied.errors.length === 0) return varied;
  return await runOnce(operation, createMock(), (value) => value);
}

async function runOnce(
  { document, name = "(anonymous)" }: AppOperation,
  { orm, executor, takeWarnings }: CheckedMock,
  vary: (value: unknown, name: string) => unknown,
): Promise<MutationChanges> {
  const query = toSentDocument(orm.graphQLSchema, document);
  const variables = Object.fromEntries(
    Object.entries(makeVariables(orm, query)).map(([key, value]) => [key, vary(value, key)]),
  );
  const before = tablesOf(orm);
  const outcome = await executor.execute<never>({ query, variables, operationName: undefined });
  const { data, errors } = outcome.kind === "result"
    ? outcome.result
    : { data: undefined, errors: [{ message: refusalOf(outcome) }] };
  return {
    ...{ name, variables, data, fields: rootFields(orm.graphQLSchema, query) },
    errors: (errors ?? []).map(({ message }) => message),
    warnings: takeWarnings(),
    changes: changesOf(before, tablesOf(orm)),
  };
}

function refusalOf(outcome: Outcome): string {
  return outcome.kind === "refusal" ? outcome.reason : "another server answered";
}

/** A field with its arguments and types, as the schema has it. */
function rootFields(graphQLSchema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const fields = graphQLSchema.getMutationType()?.getFields() ?? {};
  return document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION
      ? one.selectionSet.selections.flatMap((node) => {
        const field = node.kind === Kind.FIELD ? fields[node.name.value] : undefined;
        if (field === undefined) return [];
        const args = field.args.map(({ name, type }) => `${name}: ${type}`).join(", ");
        return [`${field.name}(${args}): ${field.type}`];
      })
      : []
  );
}

const KEY = /^_?id$|ids?$|slug|code|token|password|email|username|login|handle|currency|locale/i;

/** Another value than a record has, for what does not identify anything. */
function otherValue(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => otherValue(one, name));
  if (isObject(value)) return otherValues(value);
  if (KEY.test(name)) return value;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  const isWords = typeof value === "string" && /[a-z ]/.test(value) && !/[:/@]/.test(value);
  return isWords ? `${value} 2` : value;
}

function otherValues(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, otherValue(value, name)]),
  );
}

function tablesOf({ models, mirageSchema }: Orm): Tables {
  return new Map(models.models.map(({ typeName, modelName }) => [
    typeName,
    new Map(tableOf(mirageSchema, modelName).all().map((one) => [String(one.id), one])),
  ]));
}

function changesOf(before: Tables, after: Tables): readonly string[] {
  return [...after].flatMap(([typeName, records]) => {
    const old = before.get(typeName);
    const removed = [...old?.keys() ?? []].filter((id) => !records.has(id));
    const written = [...records].flatMap(([id, record]) => {
      const was = old?.get(id);
      if (was === undefined) return [`+ ${typeName} ${id} ${JSON.stringify(record)}`];
      const names = Object.keys({ ...was, ...record })
        .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(record[name]));
      const values = names.map((name) =>
        `${name}: ${JSON.stringify(was[name])} -> ${JSON.stringify(record[name])}`
      );
      return names.length === 0 ? [] : [`~ ${typeName} ${id} ${values.join(", ")}`];
    });
    return [...removed.map((id) => `- ${typeName} ${id}`), ...written];
  });
}

/** Prints a mutation for a reader. */
export function changesText(one: MutationChanges): string {
  const lines = [
    ...one.fields,
    `variables ${JSON.stringify(one.variables)}`,
    ...one.errors.length > 0
      ? one.errors.map((text) => `error ${text}`)
      : [`answer ${JSON.stringify(one.data)}`, ...one.changes],
    ...one.warnings.map((text) => `warning ${text}`),
  ];
  const shown = lines.map((line) => line.replaceAll(/"data:[^"]*"/g, '"data:"'));
  const cut = shown.map((line) => line.length > LENGTH ? `${line.slice(0, LENGTH)}...` : line);
  return [`${one.name}`, ...cut.map((line) => `  ${line}`)].join("\n");
}

/** Characters of a line that a reader sees. */
const LENGTH = 400;
