// @ts-types="@types/relay-runtime"
import {
  commitMutation,
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  type Snapshot,
  Store,
} from "relay-runtime";
import { failNetwork, type HttpClient, namesOf, namesOfEdges } from "./http_clients.ts";
import {
  CREATE,
  type HttpMock,
  PAGE,
  PEOPLE,
  PERSON,
  TYPED_PETS,
  URL_OF_MOCK,
} from "./http_mock.ts";
import { toRelayArtifact } from "./relay_artifact.ts";

function createRelay({ fetch }: HttpMock): Environment {
  return new Environment({
    network: Network.create(async ({ text }, variables) => {
      const response = await fetch(URL_OF_MOCK, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ query: text, variables }),
      });
      return await response.json();
    }),
    store: new Store(new RecordSource()),
  });
}

/** Fetches a query, keeps its records, and returns how a component reads it. */
async function read(
  environment: Environment,
  request: ConcreteRequest,
  variables: Record<string, unknown> = {},
): Promise<Snapshot> {
  const operation = createOperationDescriptor(request, variables);
  environment.retain(operation);
  await fetchQuery(environment, request, variables, { networkCacheConfig: { force: true } })
    .toPromise();
  return environment.lookup(operation.fragment);
}

interface RootRecord {
  readonly __errors?: Record<string, readonly { readonly message: string }[]>;
}

function rootRecord(environment: Environment): RootRecord {
  return JSON.parse(JSON.stringify(environment.getStore().getSource()))["client:root"] ?? {};
}

const people = toRelayArtifact(PEOPLE);

/** Relay's runtime, with what its compiler writes. */
export const RELAY: HttpClient = {
  name: "relay-runtime",
  mock: { ids: "global" },
  streams: { "WebSocket": "relay-runtime", "server-sent events": "relay-runtime" },
  features: {
    async query(mock) {
      return namesOf((await read(createRelay(mock), people)).data?.people);
    },
    async variables(mock) {
      const request = toRelayArtifact(PERSON);
      const { data } = await read(createRelay(mock), request, { id: "Person:2" });
      return namesOf([data?.person]);
    },
    async "mutation with cache update"(mock) {
      const environment = createRelay(mock);
      await read(environment, people);
      await new Promise((resolve, onError) =>
        commitMutation(environment, {
          mutation: toRelayArtifact(CREATE),
          variables: { input: { name: "Barbara" } },
          updater(store) {
            const root = store.getRoot();
            const old = root.getLinkedRecords("people") ?? [];
            root.setLinkedRecords([...old, store.getRootField("createPerson")], "people");
          },
          onCompleted: resolve,
          onError,
        })
      );
      const { data } = environment.lookup(createOperationDescriptor(people, {}).fragment);
      return mock.bodies.length === 2 ? namesOf(data?.people) : mock.bodies;
    },
    async "errors with path"(mock) {
      const environment = createRelay(mock);
      await read(environment, toRelayArtifact("query Bad { bad }"));
      const { __errors: errors = {} } = rootRecord(environment); // by field, from their paths
      return Object.entries(errors).flatMap(([field, list]) =>
        list.map(({ message }) => [message, [field]])
      );
    },
    async "network failure"(mock) {
      const environment = createRelay(mock);
      return await failNetwork(mock, () => read(environment, people));
    },
    async pages(mock) {
      const environment = createRelay(mock);
      const request = toRelayArtifact(PAGE, { field: "peoplePage", key: "People_peoplePage" });
      const first = await read(environment, request);
      const { peoplePage } = JSON.parse(JSON.stringify(first.data));
      const whole = await read(environment, request, { after: peoplePage.pageInfo.endCursor });
      return namesOfEdges(JSON.parse(JSON.stringify(whole.data)).peoplePage.edges);
    },
    async unions(mock) {
      return namesOf((await read(createRelay(mock), toRelayArtifact(TYPED_PETS))).data?.pets);
    },
  },
};
