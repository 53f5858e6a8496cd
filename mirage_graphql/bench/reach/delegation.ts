import { delegateAll } from "../../testing/delegate_all.ts";
import { withWarnings } from "../../testing/warnings.ts";
import { fieldMutations, fieldQueries } from "./field_queries.ts";
import { createOurs, type Mock, type Ours } from "./ours.ts";
import { type Operation, randomQuery } from "./random_query.ts";
import { seededDraw } from "./seeded_draw.ts";
import type { Subject } from "./subjects.ts";

/** One mock without resolvers, and one with a resolver for every field, which only delegates. */
interface Pair {
  readonly plain: Ours;
  readonly delegating: Ours;
}

/** What two mocks of a subject answered. */
export interface Compared {
  /** How many requests both answered. */
  readonly answered: number;
  /** What they answered differently, each with its request. */
  readonly differences: readonly string[];
}

/**
 * Sends a query and a mutation for every field of a schema, some random queries, and the documented
 * operations to both mocks.
 */
export async function compareDelegation(subject: Subject, random: number): Promise<Compared> {
  const pair = createPair(subject);
  const comparison = new Comparison();
  const { schema, known } = pair.plain;
  for (const hasOptional of [false, true]) {
    const source = { schema, known, hasOptional };
    const queries = fieldQueries(seededDraw(1), source).map(withoutVariables);
    const others = Array.from(
      { length: random },
      (_, seed) => randomQuery(seededDraw(seed), source),
    );
    for (const operation of [...queries, ...others]) await comparison.send(pair, operation);
  }
  for (const { query, then, variables = {} } of subject.operations) {
    const own = subject.seeds === undefined ? pair : createPair(subject);
    const values = typeof variables === "function" ? variables(known) : variables;
    await comparison.send(own, { query, variables: { ...values } });
    if (then !== undefined) await comparison.send(own, withoutVariables(then));
  }
  // last, because the records differ after a mutation that only one mock performs
  for (const hasOptional of [false, true]) {
    for (const query of fieldMutations(seededDraw(1), { schema, known, hasOptional })) {
      await comparison.mutate(pair, withoutVariables(query));
    }
  }
  return comparison;
}

function createPair(subject: Subject): Pair {
  const create = () => ({
    plain: createOurs(subject),
    delegating: createOurs(subject, delegateAll),
  });
  return withWarnings(create).value;
}

function withoutVariables(query: string): Operation {
  return { query, variables: {} };
}

class Comparison implements Compared {
  answered = 0;
  readonly differences: string[] = [];

  async send({ plain, delegating }: Pair, operation: Operation): Promise<void> {
    const expected = await answerOf(plain.mock, operation);
    await this.#compare(delegating, operation, expected);
  }

  /** A resolver that calls for a mutation may do more than no resolver does. */
  async mutate({ plain, delegating }: Pair, operation: Operation): Promise<void> {
    const expected = await answerOf(plain.mock, operation);
    if (expected.endsWith(NO_ERRORS)) await this.#compare(delegating, operation, expected);
  }

  async #compare({ mock }: Ours, operation: Operation, expected: string): Promise<void> {
    this.answered++;
    const actual = await answerOf(mock, operation);
    if (actual === expected) return;
    const request = `${operation.query} ${JSON.stringify(operation.variables)}`;
    this.differences.push(`${request}\n  none: ${expected}\n  delegating: ${actual}`);
  }
}

const NO_ERRORS = '"errors":[]}';

/** Moments of today are when something was archived or closed, and differ between two mocks. */
function withoutMoments(text: string): string {
  const today = new Date().toISOString().slice(0, "2000-01-01".length);
  return text.replaceAll(new RegExp(`"${today}T[0-9:.]+Z"`, "g"), '"now"');
}

async function answerOf(mock: Mock, operation: Operation): Promise<string> {
  try {
    const { data, errors } = await mock(operation);
    return withoutMoments(JSON.stringify({ data, errors }));
  } catch (error) {
    return String(error);
  }
}
