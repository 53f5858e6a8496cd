import {
  Environment,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} from "relay-runtime";
import type { ClientResult, TestClient } from "./client.ts";

/** Where Relay's operations go. */
export interface RelayTransport {
  /** Starts an operation, and returns the function that ends it. */
  subscribe(
    query: string,
    variables: Record<string, unknown>,
    sink: {
      next(result: unknown): void;
      error(error: unknown): void;
      complete(): void;
    },
  ): () => void;
  dispose(): Promise<void>;
}

/** Relay's runtime, whose operations are what its compiler makes of `{ personCreated { id name } }`. */
export function createRelayClient({ subscribe, dispose }: RelayTransport): TestClient {
  const execute = (query: string, variables: Record<string, unknown>) =>
    Observable.create<GraphQLResponse>((sink) =>
      subscribe(query, variables, {
        next: (result) => sink.next(result as GraphQLResponse),
        error: (error) => sink.error(error instanceof Error ? error : new Error("rejected")),
        complete: () => sink.complete(),
      })
    );
  const environment = new Environment({
    network: Network.create(
      ({ text }, variables) => execute(text ?? "", variables),
      ({ text }, variables) => execute(text ?? "", variables),
    ),
    store: new Store(new RecordSource()),
  });
  return {
    send: (query, variables = {}) =>
      new Promise((resolve, reject) => {
        let last: ClientResult = {};
        const request = { ...PERSON_CREATED.params, text: query };
        environment.getNetwork().execute(request, variables, {}).subscribe({
          next: (result) => last = result as ClientResult,
          error: reject,
          complete: () => resolve(last),
        });
      }),
    subscribe: (query, onResult) => {
      const subscription = { ...PERSON_CREATED, params: { ...PERSON_CREATED.params, text: query } };
      const { dispose } = requestSubscription(environment, {
        subscription,
        variables: {},
        onNext: (data) => onResult({ data }),
      });
      return dispose;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

function scalar(name: string) {
  return { alias: null, args: null, kind: "ScalarField", name, storageKey: null } as const;
}

const SELECTIONS = [{
  alias: null,
  args: null,
  concreteType: "Person",
  kind: "LinkedField",
  name: "personCreated",
  plural: false,
  selections: [scalar("id"), scalar("name")],
  storageKey: null,
}] as const;

/** What Relay's compiler writes for `subscription PersonCreated { personCreated { id name } }`. */
const PERSON_CREATED = {
  fragment: {
    argumentDefinitions: [],
    kind: "Fragment",
    metadata: null,
    name: "PersonCreated",
    selections: SELECTIONS,
    type: "Subscription",
    abstractKey: null,
  },
  kind: "Request",
  operation: {
    argumentDefinitions: [],
    kind: "Operation",
    name: "PersonCreated",
    selections: SELECTIONS,
  },
  params: {
    cacheID: "PersonCreated",
    id: null,
    metadata: {},
    name: "PersonCreated",
    operationKind: "subscription",
    text: "subscription PersonCreated { personCreated { id name } }",
  },
} as const;
