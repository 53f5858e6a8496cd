import { useApi } from "@trestle/api-wrapper";
import { onScopeDispose, watch } from "vue";
import { send, type TypedDocument } from "../graphql/client.ts";

/**
 * The state of a GraphQL query, which runs immediately and again whenever its variables change.
 * Each run aborts the previous request; unmounting the component aborts the last one.
 */
export function useQuery<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: () => Variables,
) {
  let controller = new AbortController();
  const { loading, data, error, call } = useApi(async () => {
    controller.abort();
    controller = new AbortController();
    return { data: await send(document, variables(), { signal: controller.signal }) };
  }, false);
  const reload = () => call().catch(() => {});

  watch(variables, reload, { immediate: true });
  onScopeDispose(() => controller.abort());
  return { loading, data, error, reload };
}
