import type { GraphQLSchema } from "graphql";
import { type DocumentedOperation, hasExpected } from "./documented_operation.ts";
import type { KnownRecords } from "./known_records.ts";
import { type Answer, createOurs, type Mock, type Ours, serveSubject } from "./ours.ts";
import { createPeer } from "./peer.ts";
import { randomQuery } from "./random_query.ts";
import { seededDraw } from "./seeded_draw.ts";
import type { Subject } from "./subjects.ts";

/** How many random queries to send, and from which seed on. */
export interface Amount {
  /** With required arguments only. */
  readonly required: number;
  /** With optional arguments, too. */
  readonly optional: number;
  readonly seed: number;
}

/** What a mock did with the requests of a schema. */
export interface Score {
  /** Random queries that had no error. */
  readonly required: number;
  readonly optional: number;
  /** Documented operations that had no error. */
  readonly answered: number;
  /** Documented operations whose data are as expected. */
  readonly sensible: number;
}

/** What was measured of a schema. */
export interface Measured {
  readonly name: string;
  readonly package?: string;
  readonly operations: number;
  readonly amount: Amount;
  /** Whether the handler accepts the schema; if not, `ours` is missing. */
  readonly builds: boolean;
  readonly served: boolean;
  readonly ours?: Score;
  readonly peer?: Score;
  /** What went wrong with ours, each with its request. */
  readonly failures: readonly string[];
}

/** Builds and serves our mock of a schema and the peer's, and sends requests to both. */
export async function measureSubject(subject: Subject, amount: Amount): Promise<Measured> {
  const { name, operations } = subject;
  const failures: string[] = [];
  const fault = await serveSubject(subject);
  if (fault !== undefined) failures.push(`serve: ${fault}`);
  const common = {
    name,
    package: subject.package,
    operations: operations.length,
    amount,
    failures,
  };
  const ours = attempt(() => createOurs(subject), failures);
  if (ours === undefined) return { ...common, builds: false, served: fault === undefined };
  const { schema, known } = ours;
  const scores = { schema, known, subject, amount };
  const oursScore = await score(
    { ...scores, random: ours.mock, fresh: () => fresh(subject, ours) },
    failures,
  );
  const peer = createPeer(schema);
  const peerScore = await score({ ...scores, random: peer, fresh: () => peer }, []);
  return { ...common, builds: true, served: fault === undefined, ours: oursScore, peer: peerScore };
}

/**
 * A family has few records, so each operation starts with its own copy; otherwise all share them.
 */
function fresh(subject: Subject, ours: Ours): Mock {
  return subject.seeds === undefined ? ours.mock : createOurs(subject).mock;
}

/** A mock to score. */
interface Scored {
  readonly schema: GraphQLSchema;
  readonly known: KnownRecords;
  readonly subject: Subject;
  readonly amount: Amount;
  readonly random: Mock;
  /** The mock for one documented operation. */
  readonly fresh: () => Mock;
}

async function score(scored: Scored, failures: string[]): Promise<Score> {
  const { amount, subject } = scored;
  const required = await askAtRandom(
    scored,
    { count: amount.required, hasOptional: false },
    failures,
  );
  const optional = await askAtRandom(
    scored,
    { count: amount.optional, hasOptional: true },
    failures,
  );
  let answered = 0;
  let sensible = 0;
  for (const operation of subject.operations) {
    const errors = await askDocumented(scored.fresh(), operation, scored.known);
    if (errors.length === 0) sensible++;
    if (errors.length === 0 || errors[0]?.startsWith(UNEXPECTED)) answered++;
    failures.push(...errors.slice(0, 1).map((error) => `"${operation.name}": ${error}`));
  }
  return { required, optional, answered, sensible };
}

async function askAtRandom(
  { schema, known, random, amount }: Scored,
  { count, hasOptional }: { readonly count: number; readonly hasOptional: boolean },
  failures: string[],
): Promise<number> {
  let answered = 0;
  for (let index = 0; index < count; index++) {
    const draw = seededDraw(amount.seed + 2 * index + Number(hasOptional));
    const operation = randomQuery(draw, { schema, known, hasOptional });
    const [error] = await errorsOf(() => random(operation));
    if (error === undefined) answered++;
    else failures.push(`${error} << ${operation.query} ${JSON.stringify(operation.variables)}`);
  }
  return answered;
}

const UNEXPECTED = "Unexpected data ";

async function askDocumented(
  mock: Mock,
  { query, variables = {}, then, expected, expectedThen }: DocumentedOperation,
  known: KnownRecords,
): Promise<readonly string[]> {
  const values = typeof variables === "function" ? variables(known) : variables;
  const steps = [{ query, variables: { ...values }, expected }];
  if (then !== undefined) steps.push({ query: then, variables: {}, expected: expectedThen });
  const unexpected = [];
  for (const step of steps) {
    let data: unknown;
    const errors = await errorsOf(async () => {
      const answer = await mock(step);
      data = JSON.parse(JSON.stringify(answer.data ?? null));
      return answer;
    });
    if (errors.length > 0) return errors;
    if (!hasExpected(data, step.expected)) unexpected.push(`${UNEXPECTED}${JSON.stringify(data)}`);
  }
  return unexpected;
}

async function errorsOf(ask: () => Promise<Answer>): Promise<readonly string[]> {
  try {
    return (await ask()).errors;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function attempt<T>(act: () => T, failures: string[]): T | undefined {
  try {
    return act();
  } catch (error) {
    failures.push(`build: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}
