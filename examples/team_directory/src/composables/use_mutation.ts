import { useApi } from "@trestle/api-wrapper";
import { send, type TypedDocument } from "../graphql/client.ts";

/** The state of a GraphQL mutation, which continues when the component is unmounted. */
export function useMutation<Result, Variables>(document: TypedDocument<Result, Variables>) {
  const { loading, error, call } = useApi(
    async (variables: Variables) => ({ data: await send(document, variables) }),
    false,
  );

  /** Resolves with the data, or with `undefined` if it failed: then `error` says why. */
  const run = (variables: Variables): Promise<Result | undefined> =>
    call(variables).then(({ data }) => data, () => undefined);
  return { loading, error, run };
}
