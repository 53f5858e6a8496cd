import { createClient } from "graphql-sse";
import { computed, shallowRef } from "vue";
import { PERSON, type Thanks, THANKS_RECEIVED } from "../graphql/people.ts";
import { useQuery } from "./use_query.ts";
import { useSubscription } from "./use_subscription.ts";

/** A person, with the thanks that arrive meanwhile as server-sent events. */
export function usePerson(id: string) {
  const live = shallowRef<readonly Thanks[]>([]);
  const client = createClient({ url: "/graphql" });
  useSubscription(client, THANKS_RECEIVED, { toId: id }, ({ shoutoutCreated }) => {
    live.value = [...live.value, shoutoutCreated];
  });

  const { loading, data, error, reload } = useQuery(PERSON, () => ({ id }));
  const person = computed(() => {
    const read = data.value?.person;
    if (!read) return undefined;
    const known = new Set(read.received.map((thanks) => thanks.id));
    return {
      ...read,
      received: [...read.received, ...live.value.filter((thanks) => !known.has(thanks.id))],
    };
  });

  return { person, isRead: computed(() => data.value !== undefined), loading, error, reload };
}
