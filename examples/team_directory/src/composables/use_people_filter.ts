import { computed, type WritableComputedRef } from "vue";
import { useRoute, useRouter } from "vue-router";
import type { PeopleFilter, Presence } from "../graphql/people.ts";

const PRESENCES: readonly Presence[] = ["AVAILABLE", "BUSY", "AWAY"];

/** The filter in the page's URL, such as `/?team=2&sort=NEWEST`. */
export function usePeopleFilter() {
  const route = useRoute();
  const router = useRouter();

  function parameter(name: string): WritableComputedRef<string> {
    return computed({
      get: () => String(route.query[name] ?? ""),
      set: (value) =>
        void router.replace({ query: { ...route.query, [name]: value || undefined } }),
    });
  }

  const [search, team, presence, sort] = [
    parameter("q"),
    parameter("team"),
    parameter("presence"),
    parameter("sort"),
  ];
  const filter = computed((): PeopleFilter => ({
    search: search.value || undefined,
    team: team.value || undefined,
    presence: PRESENCES.find((one) => one === presence.value),
    sort: sort.value === "NEWEST" ? "NEWEST" : "NAME",
  }));
  return {
    search,
    team,
    presence,
    sort,
    filter,
    isFiltered: computed(() => [search, team, presence].some(({ value }) => value !== "")),
    clear: () => void router.replace({ query: {} }),
  };
}
