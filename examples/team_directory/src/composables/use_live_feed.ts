import { createClient } from "graphql-ws";
import { readonly, ref, shallowRef } from "vue";
import { FEED_ITEM_CREATED, type FeedItem } from "../graphql/feed.ts";
import { useSubscription } from "./use_subscription.ts";

const MAX_ITEMS = 50;

const items = shallowRef<readonly FeedItem[]>([]);
const unread = ref(0);
const isLive = ref(false);

/** What the subscription has delivered since the app was opened, newest first. */
export function useLiveFeed() {
  return {
    items,
    unread: readonly(unread),
    isLive: readonly(isLive),
    markRead: () => void (unread.value = 0),
  };
}

/** Subscribes over WebSocket while the component that calls this is mounted. */
export function useLiveFeedSource(): void {
  const client = createClient({
    url: "/graphql",
    on: { connected: () => isLive.value = true, closed: () => isLive.value = false },
  });
  useSubscription(client, FEED_ITEM_CREATED, {}, ({ feedItemCreated }) => {
    items.value = [feedItemCreated, ...items.value].slice(0, MAX_ITEMS);
    unread.value++;
  });
}
