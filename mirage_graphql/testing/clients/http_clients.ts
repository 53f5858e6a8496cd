import { ok, rejects, strictEqual } from "node:assert/strict";
import type { HttpMock } from "./http_mock.ts";

/** What front ends do with their clients, in the order of the table in the documentation. */
export const FEATURES = [
  "query",
  "variables",
  "mutation with cache update",
  "errors with path",
  "network failure",
  "pages",
  "unions",
  "batch",
  "persisted queries",
  "upload",
  "@defer",
  "abort",
] as const;

/** One of them. */
export type Feature = typeof FEATURES[number];

/** How a client uses its features; those that it lacks are left out. */
export interface HttpClient {
  readonly name: string;
  readonly features: Readonly<Partial<Record<Feature, (mock: HttpMock) => Promise<void>>>>;
}

/** The names of people in data, in their order. */
export function namesOf(people: unknown): string[] {
  ok(Array.isArray(people), `no list: ${JSON.stringify(people)}`);
  return people.map(({ name }) => name);
}

/** Checks that a failed request rejects, and that the next one does not. */
export async function checkNetworkFailure(
  { handler }: HttpMock,
  ask: () => Promise<unknown>,
): Promise<void> {
  handler.failNext("People", "network");
  await rejects(ask, /Failed to fetch/);
  await ask();
}

/** Checks that a request which is never answered ends when it is aborted. */
export async function checkAbort(
  { handler }: HttpMock,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  handler.failNext("People", "timeout");
  const controller = new AbortController();
  const asked = ask(controller.signal);
  await handler.seen("People");
  controller.abort();
  await rejects(asked, ({ name, message }: Error) => /abort/i.test(`${name} ${message}`));
}

/** Checks that the first request of a document had its text, and the second its hash alone. */
export function checkHashes({ bodies }: HttpMock): void {
  const queries = bodies.map((body) => "query" in JSON.parse(body));
  strictEqual(queries.join(), "false,true,false");
}
