import type { Mock, PlannedFailure } from "@trestle/mirage-graphql";
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";

/** An operation as GraphiQL sends it. */
export interface SentOperation {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Record<string, unknown> | null;
}

/** An operation that was sent, and its answer. */
export interface LoggedRequest {
  /** Counts from 1. */
  readonly number: number;
  readonly type: string;
  /** The operation's name, or its first field. */
  readonly name: string;
  /** The fields at the root that it has. */
  readonly fields: readonly string[];
  readonly query: string;
  readonly variables: string;
  /** Milliseconds until the answer; `undefined` while there is none. */
  readonly duration: number | undefined;
  /** For example `200`, `503`, `2 errors`, `3 events`, `broken connection`. */
  readonly state: string;
  readonly hasFailed: boolean;
  /** The start of the answer, as JSON. */
  readonly answer: string;
  /** What has answered it; empty while nothing has. */
  readonly answeredBy: readonly string[];
}

/** How many requests are kept. */
export const MAX_REQUESTS = 50;
/** Characters that are kept of an answer. */
const MAX_ANSWER = 20_000;

/** How often a failure happens. */
export type FailureScope = "next" | "every";

/** A failure that operations meet. */
export interface SwitchedFailure {
  readonly failure: PlannedFailure;
  readonly scope: FailureScope;
}

/** What a client of the page needs. */
export interface ClientOptions {
  /** The failure that is switched on now, if any. */
  readonly failure: () => SwitchedFailure | undefined;
  /** Called when a failure of the next operation has been used. */
  readonly onFailed: () => void;
  /** Called whenever a request is sent or answered, with the latest requests, the newest first. */
  readonly onChange: (requests: readonly LoggedRequest[]) => void;
  /** Says what has answered an operation. */
  readonly explain: (mock: Mock, operation: SentOperation) => Promise<readonly string[]>;
}

/** Sends operations to mocks, and logs them. */
export interface LoggingClient {
  /** Answers a query or a mutation. */
  post(mock: Mock, operation: SentOperation): Promise<object>;
  /** Starts a subscription. */
  subscribe(mock: Mock, operation: SentOperation): AsyncGenerator<object>;
  clear(): void;
}

/** Creates a client that sends as one over HTTP does: with a status, latency and failures. */
export function createLoggingClient(options: ClientOptions): LoggingClient {
  let requests: readonly LoggedRequest[] = [];
  let count = 0;
  const change = (next: readonly LoggedRequest[]) => {
    requests = next.slice(0, MAX_REQUESTS);
    options.onChange(requests);
  };
  const update = (number: number, changes: Partial<LoggedRequest>) =>
    change(requests.map((one) => one.number === number ? { ...one, ...changes } : one));
  const begin = (mock: Mock, operation: SentOperation): End => {
    const entry: LoggedRequest = {
      ...describeOperation(operation),
      ...{ number: ++count, duration: undefined, state: "…", hasFailed: false, answer: "" },
      answeredBy: [],
    };
    const { number } = entry;
    const started = performance.now();
    change([entry, ...requests]);
    const switched = options.failure();
    if (switched !== undefined) {
      mock.failNext("*", switched.failure);
      if (switched.scope === "next") options.onFailed();
    }
    return async (end) => {
      const duration = performance.now() - started;
      update(number, { ...end, answer: end.answer.slice(0, MAX_ANSWER), duration });
      const known = requests.find((one) => one.number === number);
      if (known === undefined || known.answeredBy.length > 0) return;
      const answeredBy = switched === undefined
        ? await options.explain(mock, operation).catch((error) => [String(error)])
        : ["A failure that is switched on"];
      update(number, { answeredBy });
    };
  };
  return {
    post: (mock, operation) => post(mock, operation, begin(mock, operation)),
    subscribe: (mock, operation) => subscribe(mock, operation, begin(mock, operation)),
    clear: () => change([]),
  };
}

type End = (end: Pick<LoggedRequest, "state" | "hasFailed" | "answer">) => Promise<void>;

async function* subscribe(mock: Mock, operation: SentOperation, end: End): AsyncGenerator<object> {
  let events = 0;
  let answer = "";
  end({ state: "waiting for events", hasFailed: false, answer });
  try {
    for await (const result of mock.subscribe(toRequest(operation))) {
      answer = JSON.stringify(result, undefined, 2);
      events++;
      const hasFailed = "errors" in result && result.errors !== undefined;
      end({ state: events === 1 ? "1 event" : `${events} events`, hasFailed, answer });
      yield result;
    }
  } catch (error) {
    end({ state: "broken off", hasFailed: true, answer: String(error) });
    throw error;
  }
}

async function post(mock: Mock, operation: SentOperation, end: End): Promise<object> {
  try {
    const response = await mock.fetch(
      new Request("https://mock.invalid/graphql", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(toRequest(operation)),
      }),
    );
    const text = await response.text();
    const body = parseObject(text);
    const errors = body !== undefined && "errors" in body && Array.isArray(body.errors)
      ? body.errors.length
      : 0;
    const state = !response.ok
      ? `HTTP ${response.status}`
      : errors === 0
      ? "answered"
      : errors === 1
      ? "1 error"
      : `${errors} errors`;
    end({ state, hasFailed: !response.ok || errors > 0, answer: pretty(body) ?? text });
    return body ?? { status: response.status, body: text };
  } catch (error) {
    end({ state: "broken connection", hasFailed: true, answer: String(error) });
    throw error;
  }
}

function toRequest({ query, operationName, variables }: SentOperation) {
  return { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
}

function pretty(value: object | undefined): string | undefined {
  return value && JSON.stringify(value, undefined, 2);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function describeOperation(
  sent: SentOperation,
): Pick<LoggedRequest, "type" | "name" | "fields" | "query" | "variables"> {
  const operation = selectedOperation(sent);
  const fields =
    operation?.selectionSet.selections.flatMap((selection) =>
      selection.kind === Kind.FIELD ? [selection.name.value] : []
    ) ?? [];
  const variables = Object.keys(sent.variables ?? {}).length === 0
    ? ""
    : JSON.stringify(sent.variables, undefined, 2);
  return {
    type: operation?.operation ?? "document",
    name: operation?.name?.value ?? fields[0] ?? "with a fault",
    fields,
    query: sent.query,
    variables,
  };
}

/** The operation of a document that runs; `undefined` if the document has a fault. */
export function selectedOperation(
  { query, operationName }: SentOperation,
): OperationDefinitionNode | undefined {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch {
    return undefined;
  }
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  return operationName === undefined || operationName === null
    ? operations[0]
    : operations.find(({ name }) => name?.value === operationName);
}
