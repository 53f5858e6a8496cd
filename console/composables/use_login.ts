import { readonly, ref, shallowRef } from "vue";
import { setToken } from "../api/instance.ts";
import {
  leaveForIssuer,
  type LoginSettings,
  renew,
  takeReturn,
  type Tokens,
} from "../api/oauth.ts";
import { server } from "../api/server.ts";
import { session } from "./use_session.ts";

/** How long before its end a token is replaced, and the shortest time between two. */
const RENEW = { beforeMs: 30_000, leastMs: 5_000 };

const settings = shallowRef<LoginSettings>();
const fault = ref("");
const isOpen = ref(false);
let timer: ReturnType<typeof setTimeout> | undefined;

/** The log-in at an issuer, where the server has one for the console. */
export const login = {
  /** Where people log in; `undefined` if they need a token. */
  settings: readonly(settings),
  /** Why that did not work. */
  fault: readonly(fault),
  /** Whether the session is that of a person who has logged in at the issuer. */
  isOpen: readonly(isOpen),

  /**
   * Opens the session with which the page begins: that which the issuer leads back to, or the one of
   * this tab. Never rejects.
   */
  async resume(): Promise<void> {
    const redeem = takeReturn();
    settings.value = await server.login().catch(() => undefined);
    if (redeem === undefined || settings.value === undefined) return await session.resume();
    try {
      await open(await redeem(settings.value));
    } catch (error) {
      fault.value = textOf(error);
      await session.resume();
    }
  },

  /** Leaves for the issuer; with the rights of an admin, if they are wanted. Never rejects. */
  async begin(isAdmin: boolean): Promise<void> {
    if (settings.value === undefined) return;
    fault.value = "";
    await leaveForIssuer(settings.value, isAdmin).catch((error) => fault.value = textOf(error));
  },

  /** Lets the tokens expire. */
  end(): void {
    clearTimeout(timer);
    isOpen.value = false;
  },
};

async function open(tokens: Tokens): Promise<void> {
  await session.logIn(tokens.accessToken, false);
  isOpen.value = session.state.value === "open";
  renewLater(tokens);
}

function renewLater({ refreshToken, expiresIn }: Tokens): void {
  clearTimeout(timer);
  if (refreshToken === undefined || expiresIn === undefined) return;
  const pause = Math.max(expiresIn * 1_000 - RENEW.beforeMs, RENEW.leastMs);
  timer = setTimeout(() => void replace(refreshToken), pause);
}

/** What fails leaves the token as it is, until the server refuses it. */
async function replace(refreshToken: string): Promise<void> {
  if (settings.value === undefined || session.state.value !== "open") return;
  const tokens = await renew(settings.value, refreshToken).catch(() => undefined);
  if (tokens === undefined || session.state.value !== "open") return;
  setToken(tokens.accessToken);
  renewLater(tokens);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
