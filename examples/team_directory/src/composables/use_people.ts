import { useApi } from "@trestle/api-wrapper";
import { computed } from "vue";
import { send } from "../graphql/client.ts";
import { PEOPLE, type PeopleFilter } from "../graphql/people.ts";
import { useQuery } from "./use_query.ts";

const PAGE_SIZE = 12;

/** The people that match a filter, page by page. */
export function usePeople(filter: () => PeopleFilter) {
  const { loading, data, error, reload } = useQuery(PEOPLE, () => ({
    ...filter(),
    first: PAGE_SIZE,
  }));
  const next = useApi(async (after: string) => ({
    data: await send(PEOPLE, { ...filter(), first: PAGE_SIZE, after }),
  }), false);

  async function loadMore(): Promise<void> {
    const page = data.value;
    if (!page?.people.pageInfo.endCursor) return;
    const answer = await next.call(page.people.pageInfo.endCursor).catch(() => undefined);
    if (answer === undefined || data.value !== page) return;
    const { people } = answer.data;
    data.value = { people: { ...people, nodes: [...page.people.nodes, ...people.nodes] } };
  }

  return {
    people: computed(() => data.value?.people),
    loading,
    error,
    reload,
    loadMore,
    loadingMore: next.loading,
    moreError: next.error,
  };
}
