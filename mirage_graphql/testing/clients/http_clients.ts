import { createHttpMock, type HttpMock, type HttpMockOptions, NAMES } from "./http_mock.ts";

/** What each feature of a client has to give, in the order of the table in the documentation. */
export const EXPECTED_OF_FEATURES = {
  "query": NAMES,
  "variables": ["Grace"],
  "mutation with cache update": [...NAMES, "Barbara"],
  "errors with path": [["Cannot be good", ["bad"]]],
  "network failure": ["Failed to fetch", "answered"],
  "pages": NAMES,
  "unions": ["Minka", "Rex"],
  "batch": [2],
  "persisted queries": ["hash", "query", "hash"],
  "upload": `data:text/plain;base64,${btoa("light")}`,
  "@defer": NAMES,
  "abort": "aborted",
} as const;

/** What front ends do with their clients. */
export type Feature = keyof typeof EXPECTED_OF_FEATURES;

/** How a client may receive the results of a subscription. */
export type Stream = "WebSocket" | "server-sent events" | "multipart stream";

/** How a client uses its features; those that it lacks are left out. */
export interface HttpClient {
  readonly name: string;
  /** Options of the mock that the client's users need. @default {none} */
  readonly mock?: HttpMockOptions;
  readonly features: Readonly<Partial<Record<Feature, (mock: HttpMock) => Promise<unknown>>>>;
  /** Its names in `SOCKET_CLIENTS` and `STREAM_CLIENTS`, whose tests are others. @default {none} */
  readonly streams?: Readonly<Partial<Record<Stream, string>>>;
}

/** Runs one feature of a client with a mock of its own. */
export async function useFeature(
  { mock, features }: HttpClient,
  feature: Feature,
): Promise<unknown> {
  const server = createHttpMock(mock);
  try {
    return await features[feature]?.(server);
  } finally {
    server.close();
  }
}

/** Runs all features of clients; those that fail give the text of their error. */
export async function useFeatures(clients: readonly HttpClient[]): Promise<unknown> {
  const results: Record<string, Record<string, unknown>> = {};
  for (const client of clients) {
    const given: Record<string, unknown> = results[client.name] = {};
    for (const feature of featuresOf(client)) {
      given[feature] = await useFeature(client, feature).catch(String);
    }
  }
  return results;
}

/** What `useFeatures()` has to return. */
export function expectedOf(clients: readonly HttpClient[]): unknown {
  return Object.fromEntries(clients.map((client) => [
    client.name,
    Object.fromEntries(featuresOf(client).map((name) => [name, EXPECTED_OF_FEATURES[name]])),
  ]));
}

/** The features of a client, in the order of the table. */
export function featuresOf({ features }: HttpClient): Feature[] {
  const all = Object.keys(EXPECTED_OF_FEATURES) as Feature[];
  return all.filter((feature) => features[feature] !== undefined);
}

/** The names of people in data, in their order. */
export function namesOf(people: unknown): unknown {
  return Array.isArray(people) ? people.map((person) => person?.name) : people;
}

/** The names of people in the edges of a connection. */
export function namesOfEdges(edges: readonly { readonly node: unknown }[]): unknown {
  return namesOf(edges.map(({ node }) => node));
}

/** The messages and paths of errors. */
export function pathsOf(
  errors: readonly { readonly message: string; readonly path?: unknown }[] = [],
): unknown {
  return errors.map(({ message, path }) => [message, path]);
}

/** Returns how a request ends that fails on the network, and how the next one does. */
export async function failNetwork(
  { handler }: HttpMock,
  ask: () => Promise<unknown>,
): Promise<unknown> {
  handler.failNext("People", "network");
  const ends = [];
  for (const _ of ["failed", "answered"]) {
    ends.push(await ask().then(() => "answered", messageOf));
  }
  return ends;
}

/** The message of an error, without what a client writes before it. */
function messageOf({ message }: Error): string {
  return message.replace(/^\[Network\] /, "");
}

/** Returns how a request ends that is never answered, when it is aborted. */
export async function abortRequest(
  { handler }: HttpMock,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  handler.failNext("People", "timeout");
  const controller = new AbortController();
  const asked = ask(controller.signal).then(
    () => "answered",
    (error: Error) =>
      /abort|cancel/i.test(`${error.name} ${error.message}`) ? "aborted" : String(error),
  );
  await handler.seen("People");
  controller.abort();
  return await asked;
}

/** What each request has of its document: its hash alone, or the query. */
export function documentsOf({ bodies }: HttpMock): unknown {
  return bodies.map((body) => "query" in JSON.parse(body) ? "query" : "hash");
}

/** How many operations each request has. */
export function sizesOf({ bodies }: HttpMock): unknown {
  return bodies.map((body) => JSON.parse(body).length);
}

/** The file that uploads send. */
export const createPhoto = (): File => new File(["light"], "light.txt", { type: "text/plain" });

/** Returns the first value that a subscription gives to `resolve`, and ends the subscription. */
export async function firstOf(
  subscribe: (
    resolve: (value: unknown) => void,
    reject: (error: unknown) => void,
  ) => { unsubscribe(): void },
): Promise<unknown> {
  const subscriptions: { unsubscribe(): void }[] = [];
  try {
    return await new Promise((resolve, reject) => subscriptions.push(subscribe(resolve, reject)));
  } finally {
    subscriptions.forEach((subscription) => subscription.unsubscribe());
  }
}
