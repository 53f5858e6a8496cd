import { useApi } from "@trestle/api-wrapper";
import { computed } from "vue";
import { send } from "../graphql/client.ts";
import { FEED, type FeedItem } from "../graphql/feed.ts";
import { useLiveFeed } from "./use_live_feed.ts";
import { useQuery } from "./use_query.ts";

const PAGE_SIZE = 6;

/** The feed: what arrived since the page was opened, then older items page by page. */
export function useFeed() {
  const { loading, data, error, reload } = useQuery(FEED, () => ({ first: PAGE_SIZE }));
  const { items: live } = useLiveFeed();
  const older = useApi(async (after: string) => ({
    data: await send(FEED, { first: PAGE_SIZE, after }),
  }), false);

  const items = computed(() => {
    const read = data.value?.feed.nodes ?? [];
    const known = new Set(read.map(keyOf));
    return [...live.value.filter((item) => !known.has(keyOf(item))), ...read];
  });

  async function loadMore(): Promise<void> {
    const page = data.value;
    if (!page?.feed.pageInfo.endCursor) return;
    const answer = await older.call(page.feed.pageInfo.endCursor).catch(() => undefined);
    if (answer === undefined || data.value !== page) return;
    const { feed } = answer.data;
    data.value = { feed: { ...feed, nodes: [...page.feed.nodes, ...feed.nodes] } };
  }

  return {
    items,
    hasMore: computed(() => data.value?.feed.pageInfo.hasNextPage ?? false),
    isRead: computed(() => data.value !== undefined),
    loading,
    error,
    reload,
    loadMore,
    loadingMore: older.loading,
    moreError: older.error,
  };
}

/** Ids are unique only within one type of the feed. */
export function keyOf({ __typename, id }: FeedItem): string {
  return `${__typename}:${id}`;
}
