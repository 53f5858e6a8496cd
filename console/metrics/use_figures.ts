import type { Figures } from "@trestle/mcp-server";
import { type ShallowRef, shallowRef, watch } from "vue";
import { Problem } from "../api/problem.ts";
import { server } from "../api/server.ts";
import { usePolling } from "../composables/use_polling.ts";

/** What servers did, and which of them could not say. */
export interface ShownFigures extends Figures {
  readonly unreachable: readonly string[];
}

/** As often as the servers take a sample. */
const POLL_MS = 15_000;

/**
 * Reads what a server did in the last hour and day, again and again while the page is shown: the server
 * of a name, all for `*`, and the one that answers for `undefined`. `"hidden"` for a caller that may not
 * see it, `undefined` as long as it is not known.
 */
export function useFigures(
  name: () => string | undefined,
): Readonly<ShallowRef<ShownFigures | "hidden" | undefined>> {
  const figures = shallowRef<ShownFigures | "hidden">();

  async function read(): Promise<void> {
    const asked = name();
    const found = await readFigures(asked);
    if (asked === name()) figures.value = found;
  }
  usePolling(read, POLL_MS);

  watch(name, () => {
    if (figures.value !== "hidden") figures.value = undefined;
    void read().catch(() => {});
  });
  return figures;
}

async function readFigures(name: string | undefined): Promise<ShownFigures | "hidden"> {
  try {
    return { unreachable: [], ...(await server.figures(name)).data };
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return "hidden";
    throw error;
  }
}
