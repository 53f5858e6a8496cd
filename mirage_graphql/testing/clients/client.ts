/** What a client's GraphQL response has in these tests. */
export interface ClientResult {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

/** A real GraphQL client, reduced to what all of them do. */
export interface TestClient extends AsyncDisposable {
  /** Sends a query or a mutation. */
  send(query: string, variables?: Record<string, unknown>): Promise<ClientResult>;
  /** Subscribes, and returns the function that unsubscribes. */
  subscribe(query: string, onResult: (result: ClientResult) => void): () => void;
}

/** Creates a client of an address. */
export type CreateClient = (url: string) => TestClient;
