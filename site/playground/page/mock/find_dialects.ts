import { createMock } from "@trestle/mirage-graphql";
import {
  amplify,
  general,
  hasura,
  keystone,
  pgGraphql,
  postgraphile,
  prisma,
  relay,
  strapi,
} from "@trestle/mirage-graphql/dialects";
import type { Tables } from "./records.ts";
import type { SentOperation } from "./request_log.ts";
import { readSource } from "./schema_source.ts";

const GENERAL = "words that many APIs use";

/** The dialects by name; the first that explains an operation counts, as in the mock. */
const DIALECTS = [
  ["Hasura", hasura],
  ["Prisma", prisma],
  ["Keystone", keystone],
  ["PostGraphile", postgraphile],
  ["Amplify", amplify],
  ["Strapi", strapi],
  ["pg_graphql", pgGraphql],
  ["Relay", relay],
  [GENERAL, general],
] as const;

/** An operation, and what it met. */
export interface PastOperation {
  readonly schemaText: string;
  /** The records before it. */
  readonly tables: Tables;
  readonly operation: SentOperation;
}

/**
 * Finds the dialects each of which alone explains all arguments and mutations of an operation, by
 * trying it against mocks that have one. Returns `"none needed"` if it needs none, and an empty list
 * if it takes several, or what no dialect has.
 */
export async function findDialects(past: PastOperation): Promise<string[]> {
  if (await isAnswered(past, [])) return ["none needed"];
  const found: string[] = [];
  for (const [name, dialect] of DIALECTS) {
    if (await isAnswered(past, [dialect])) found.push(name);
  }
  // what only one API would say is worth more
  return found.length > 1 ? found.filter((name) => name !== GENERAL) : found;
}

/** Whether there are no errors; what a mock doesn't understand is one. */
async function isAnswered(
  { schemaText, tables, operation: { query, variables, operationName } }: PastOperation,
  dialects: readonly (typeof DIALECTS)[number][1][],
): Promise<boolean> {
  try {
    const mock = createMock(readSource(schemaText), undefined, {
      conventions: dialects,
      defaults: "generate",
      warnings: false,
    });
    mock.db.loadData(structuredClone(tables));
    await mock.query(query, variables ?? {}, { operationName: operationName ?? undefined });
    return true;
  } catch {
    return false;
  }
}
