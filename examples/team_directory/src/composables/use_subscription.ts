import { onScopeDispose } from "vue";
import type { TypedDocument } from "../graphql/client.ts";

/** What the clients of graphql-ws and of graphql-sse have in common. */
interface SubscriptionClient {
  iterate<Data>(
    request: { readonly query: string; readonly variables: Record<string, unknown> },
  ): AsyncIterableIterator<{
    readonly data?: Data | null;
    readonly errors?: readonly { readonly message: string }[];
  }>;
}

/** Calls back with each result of a subscription while the component that calls this is mounted. */
export function useSubscription<Result, Variables extends Record<string, unknown>>(
  client: SubscriptionClient,
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  onData: (data: Result) => void,
): void {
  const results = client.iterate<Result>({ query: document.source, variables });

  async function listen(): Promise<void> {
    for await (const { data, errors } of results) {
      if (errors?.[0]) throw new Error(errors[0].message);
      if (data) onData(data);
    }
  }

  listen().catch((error) => console.error(error));
  onScopeDispose(() => void results.return?.());
}
