import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { headerFields } from "../../test_support/fuzz/header_values.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { checkAlive, checkResponse, createFuzzMock } from "./mock.ts";

/** A request to the fetch handler. */
interface Sent {
  readonly method: string;
  readonly search: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const QUERY = fc.oneof(
  fc.constantFrom(
    "{ people { name } }",
    "query A { people { id } } query B { people { name } }",
    "mutation { describe(input: {}) }",
    "subscription { personCreated { id } }",
    "{ people { id ... @defer { name } } }",
    "{ people @stream(initialCount: 1) { name } }",
    "query ($id: ID!) { person(id: $id) { name } }",
    "{ people { friends { friends { friends { name } } } } }",
    "{ __schema { types { name fields { name } } } }",
  ),
  edited(fc.constant("query A($id: ID!) { person(id: $id) { name friends { name } } }")),
  fc.constantFrom("{", "[").chain((open) => fc.nat(20_000).map((depth) => open.repeat(depth))),
);
const PART = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>({}, [], null, "A", { id: "1" }));
const ONE = fc.record({
  query: fc.oneof({ weight: 4, arbitrary: QUERY }, PART),
  variables: PART,
  operationName: PART,
  extensions: fc.oneof(
    PART,
    PART.map((hash) => ({ persistedQuery: { version: 1, sha256Hash: hash } })),
  ),
  documentId: PART,
  id: PART,
}, { requiredKeys: ["query"], noNullPrototype: true }).map((one) => JSON.stringify(one));
const TEXT = fc.oneof(
  { weight: 3, arbitrary: ONE },
  fc.array(ONE, { maxLength: 5 }).map((all) => `[${all}]`),
  edited(ONE),
  fc.json(),
  fc.string({ unit: "binary" }),
);
const BODY = fc.oneof(
  { weight: 5, arbitrary: TEXT },
  { weight: 1, arbitrary: fc.uint8Array() },
  { weight: 1, arbitrary: fc.constant("x".repeat(200_001)) },
);
const SEARCH = fc.oneof(
  fc.constant(""),
  fc.record({
    query: QUERY,
    variables: fc.json(),
    extensions: fc.json(),
    operationName: fc.string(),
  }, {
    requiredKeys: [],
    noNullPrototype: true,
  }).map((values) => `?${new URLSearchParams(values)}`),
  edited(fc.constant("?query={people{name}}&variables={}")),
);

const VALUES: Readonly<Record<string, readonly string[]>> = {
  "content-type": [
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/graphql",
  ],
  "accept": [
    "application/json",
    "application/graphql-response+json",
    "text/event-stream",
    "multipart/mixed",
    'multipart/mixed;subscriptionSpec="1.0", application/json',
    "text/html",
    "*/*;q=0",
  ],
  "origin": ["http://a.test", "null"],
  "content-length": ["0", "5", "999999999", "x"],
  "x-graphql-event-stream-token": ["a", ""],
  "access-control-request-method": ["POST"],
};
const FIELD = headerFields(VALUES);

/** Requests of GraphQL over HTTP: methods, headers, bodies and query strings. */
export const httpRequests: Surface = defineSurface<Sent>({
  name: "graphql-http",
  open: () => {
    const mock = createFuzzMock();
    return Promise.resolve({
      inputs: fc.record({
        method: fc.constantFrom("POST", "POST", "POST", "GET", "PUT", "DELETE", "OPTIONS", "HEAD"),
        search: SEARCH,
        headers: fc.array(FIELD, { maxLength: 4 }),
        body: BODY,
      }),
      check: async ({ method, search, headers, body }) => {
        const hasBody = method !== "GET" && method !== "HEAD";
        const gone = new AbortController();
        const request = new Request(`http://mock.test/graphql${search}`, {
          method,
          signal: gone.signal,
          headers: Object.fromEntries([["content-type", "application/json"], ...headers]),
          ...(hasBody ? { body } : {}),
        });
        const response = await mock.handler(request);
        if (isStream(response)) await response.body?.cancel();
        else await checkResponse(response);
        gone.abort();
        await checkAlive(mock.handler);
      },
      [Symbol.asyncDispose]: () => {
        mock.close();
        return Promise.resolve();
      },
    });
  },
});

/** A stream of events has no end of its own. */
function isStream({ headers }: Response): boolean {
  return /^(?:text\/event-stream|multipart\/mixed)/.test(headers.get("content-type") ?? "");
}
