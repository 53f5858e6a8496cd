// @ts-types="@types/relay-runtime"
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  Store,
} from "relay-runtime";

const TEXT = 'query Posts { posts { id title ... on Post @defer(label: "Posts$defer$text") ' +
  "{ text id } } }";

function scalar(name: string) {
  return { kind: "ScalarField", alias: null, args: null, name, storageKey: null } as const;
}

function posts(deferred: readonly object[]) {
  return {
    ...scalar("posts"),
    kind: "LinkedField",
    concreteType: "Post",
    plural: true,
    selections: [scalar("id"), scalar("title"), ...deferred],
  };
}

const DEFER = {
  kind: "Defer",
  if: null,
  label: "Posts$defer$text",
  selections: [scalar("text"), scalar("id")],
};

/** As Relay's compiler writes it; its types lack what is deferred. */
const REQUEST = {
  kind: "Request",
  fragment: {
    kind: "Fragment",
    name: "Posts",
    argumentDefinitions: [],
    metadata: null,
    selections: [posts([DEFER])],
    type: "Query",
    abstractKey: null,
  },
  operation: {
    kind: "Operation",
    name: "Posts",
    argumentDefinitions: [],
    selections: [posts([DEFER])],
  },
  params: {
    id: null,
    cacheID: "Posts",
    metadata: {},
    name: "Posts",
    operationKind: "query",
    text: TEXT,
  },
} as unknown as ConcreteRequest;

/** Fetches posts with Relay, and passes on what a component would see whenever that changes. */
export async function fetchDeferred(
  url: string,
  onPosts: (posts: unknown) => void,
): Promise<void> {
  const environment = new Environment({
    network: Network.create(() =>
      Observable.create((sink) => {
        send(url, (response) => sink.next(response)).then(() => sink.complete(), sink.error);
      })
    ),
    store: new Store(new RecordSource()),
  });
  const operation = createOperationDescriptor(REQUEST, {});
  environment.retain(operation);
  const show = () => onPosts(environment.lookup(operation.fragment).data?.posts);
  await new Promise<void>((resolve, reject) =>
    environment.execute({ operation }).subscribe({
      next: show,
      complete: () => resolve(),
      error: reject,
    })
  );
}

/** The part of an app's network layer that reads a response in parts. */
async function send(url: string, onResponse: (response: GraphQLResponse) => void): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "multipart/mixed;deferSpec=20220824, application/json",
    },
    body: JSON.stringify({ query: TEXT }),
  });
  if (response.body === null) throw new TypeError("Cannot read the response: it has no body");
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = `${text}${chunk}`.split("\r\n---");
    text = parts.pop() ?? "";
    for (const part of parts) toResponses(part).forEach(onResponse);
  }
}

function toResponses(part: string): GraphQLResponse[] {
  const [, body] = part.split("\r\n\r\n");
  if (body === undefined) return [];
  const { data, incremental = [], hasNext } = JSON.parse(body);
  const extensions = { is_final: hasNext !== true };
  if (data !== undefined) return [{ data, extensions }];
  return incremental.map((one: object) => ({ ...one, extensions }));
}
