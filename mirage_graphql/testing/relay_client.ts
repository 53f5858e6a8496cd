// @ts-types="@types/relay-runtime"
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
} from "relay-runtime";

/** Plain fields by the list of the query type that has them, and by type. */
export type Lists = Readonly<Record<string, { readonly type: string; readonly fields: string[] }>>;

/** A client with Relay's own cache. */
export interface RelayClient {
  /** Fetches lists, and returns what components would read from the cache. */
  read(lists: Lists): Promise<unknown>;
}

/** Creates a client that sends its queries to a function, which returns the data. */
export function createRelayClient(
  send: (query: string) => Promise<Record<string, unknown>>,
): RelayClient {
  const environment = new Environment({
    network: Network.create(async ({ text }) => ({ data: await send(text ?? "") })),
    store: new Store(new RecordSource()),
  });
  return {
    async read(lists) {
      const request = toRequest(lists);
      await fetchQuery(environment, request, {}).toPromise();
      const { fragment } = createOperationDescriptor(request, {});
      return environment.lookup(fragment).data;
    },
  };
}

/** The query as Relay's compiler would write it. */
function toRequest(lists: Lists): ConcreteRequest {
  const selections = Object.entries(lists).map(([name, { type, fields }]) => ({
    kind: "LinkedField" as const,
    alias: null,
    name,
    storageKey: null,
    args: null,
    concreteType: type,
    plural: true,
    selections: fields.map((field) => ({
      kind: "ScalarField" as const,
      alias: null,
      name: field,
      args: null,
      storageKey: null,
    })),
  }));
  const texts = Object.entries(lists)
    .map(([name, { fields }]) => `${name} { ${fields.join(" ")} }`);
  const name = "Lists";
  return {
    kind: "Request",
    fragment: {
      kind: "Fragment",
      name,
      argumentDefinitions: [],
      metadata: null,
      selections,
      type: "Query",
      abstractKey: null,
    },
    operation: { kind: "Operation", name, argumentDefinitions: [], selections },
    params: {
      id: null,
      cacheID: name,
      metadata: {},
      name,
      operationKind: "query",
      text: `query ${name} { ${texts.join(" ")} }`,
    },
  };
}
