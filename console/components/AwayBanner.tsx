import { defineComponent, onScopeDispose, ref, watch } from "vue";
import { connection } from "../composables/use_connection.ts";

const SHOWN_MS = 4_000;

/** Says when the server is away, and when it is back. */
export const AwayBanner = defineComponent(() => {
  const isBack = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  watch(connection.returns, () => {
    isBack.value = true;
    clearTimeout(timer);
    timer = setTimeout(() => isBack.value = false, SHOWN_MS);
  });
  onScopeDispose(() => clearTimeout(timer));

  return () => (
    <div class="banner" role="status">
      {connection.isAway.value
        ? <p class="away">The server does not answer. Trying again until it does.</p>
        : isBack.value
        ? <p class="back-again">The server is back.</p>
        : null}
    </div>
  );
}, { name: "AwayBanner" });
