import { computed, readonly, ref, shallowRef } from "vue";
import type { ToolDefinition } from "@trestle/mcp-server";
import { calls } from "../api/calls.ts";
import { onAnswer, setToken } from "../api/instance.ts";
import { Problem } from "../api/problem.ts";
import { type Me, server } from "../api/server.ts";

/** `starting`: whether a token is needed is not known yet. */
export type SessionState = "starting" | "closed" | "open";

const KEY = "trestle.token";

const state = ref<SessionState>("starting");
const fault = ref("");
const hasToken = ref(false);
const tools = shallowRef<readonly ToolDefinition[]>([]);
const me = shallowRef<Me>();

/** The caller whose token the page uses, with what the server offers to it. */
export const session = {
  state: readonly(state),
  /** Why there is no session. */
  fault: readonly(fault),
  /** Whether the caller has logged in; a server without tokens lets everyone call. */
  hasToken: readonly(hasToken),
  tools: computed(() => tools.value),
  /** The caller; `undefined` if the server does not say. */
  me: computed(() => me.value),

  /** Opens a session with the token of this tab, or without one. */
  async resume(): Promise<void> {
    await open(sessionStorage.getItem(KEY) ?? undefined);
    if (!hasToken.value) fault.value = "";
  },

  /** Opens a session with a token, and keeps it in the storage of this tab if `keep` is `true`. */
  async logIn(token: string, keep: boolean): Promise<void> {
    await open(token);
    if (state.value === "open" && keep) sessionStorage.setItem(KEY, token);
  },

  /** Forgets the token, and everything that was loaded with it. */
  logOut(reason = ""): void {
    sessionStorage.removeItem(KEY);
    setToken(undefined);
    hasToken.value = false;
    state.value = "closed";
    fault.value = reason;
    tools.value = [];
    me.value = undefined;
  },

  /** Loads the tools again. */
  async refresh(): Promise<void> {
    tools.value = (await calls.listTools()).data.tools;
  },
};

async function open(token: string | undefined): Promise<void> {
  setToken(token);
  try {
    await session.refresh();
    me.value = await server.me().then(({ data }) => data, () => undefined);
    hasToken.value = token !== undefined;
    fault.value = "";
    state.value = "open";
  } catch (error) {
    setToken(undefined);
    fault.value = faultOf(error);
    if (!(error instanceof Problem && error.isAway)) sessionStorage.removeItem(KEY);
    state.value = "closed";
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof Problem)) return String(error);
  return error.status === 401 ? "The server does not know this token." : `${error.message}.`;
}

onAnswer((answer) => {
  if (answer === "refused" && state.value === "open") {
    session.logOut("The server does not accept the token any more.");
  }
});
