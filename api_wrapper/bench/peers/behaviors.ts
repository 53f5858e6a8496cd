import axios, { AxiosError } from "axios";
import { type App, createApp } from "vue";
import type { ReceivedRequest } from "./held_site.ts";
import type { Library, Used, Wishes } from "./libraries.ts";

/** Declared here, because the types of the DOM would apply to the files for Deno as well. */
declare const document: { createElement(name: string): Parameters<App["mount"]>[0] };

/** How long a probe waits for what should happen, or should not. */
const WAIT_MS = 500;
const POLL_MS = 20;

/** Components that use one library, and the site that they call. */
interface Scene {
  readonly library: Library;
  /** Mounts a component. */
  mount(wishes?: Wishes): Mounted;
  /** The requests so far, once there are so many of them or it takes too long. */
  received(count: number): Promise<readonly ReceivedRequest[]>;
  /** Answers a request by its number, from 0. */
  answer(request: number, body: unknown, status?: number): Promise<void>;
  /** Whether these requests are aborted in time. */
  aborted(...requests: number[]): Promise<boolean>;
}

type Mounted = Omit<Used, "call"> & { call(id: number): void; unmount(): void };

/** Something that a user may expect of a library. */
export interface Behavior {
  readonly what: string;
  readonly holds: (scene: Scene) => Promise<boolean>;
}

/** The behaviors in the order of the table. */
export const BEHAVIORS: readonly Behavior[] = [
  {
    what: "the answer of the latest call is shown, whichever comes last",
    holds: async ({ mount, received, answer }) => {
      const { call, data } = mount();
      call(1);
      await received(1);
      call(2);
      await received(2);
      await answer(1, "new");
      await until(() => data.value === "new");
      await answer(0, "old");
      return data.value === "new" && !await until(() => data.value !== "new");
    },
  },
  {
    what: "`error` has the status and the body of the response",
    holds: async ({ mount, received, answer }) => {
      const { call, error } = mount();
      call(1);
      await received(1);
      await answer(0, { reason: "gone" }, 410);
      await until(() => error.value instanceof AxiosError);
      const { value } = error;
      return value instanceof AxiosError && value.response?.data.reason === "gone";
    },
  },
  {
    what: "a component that is unmounted aborts its request",
    holds: async ({ mount, received, aborted }) => {
      const { call, unmount } = mount();
      call(1);
      await received(1);
      unmount();
      return await aborted(0);
    },
  },
  {
    what: "one call aborts the requests of all components",
    holds: async ({ library, mount, received, aborted }) => {
      mount().call(1);
      mount().call(2);
      await received(2);
      library.cancelAll?.();
      return await aborted(0, 1);
    },
  },
  {
    what: "a newer call aborts the request that it overtakes",
    holds: async ({ mount, received, aborted }) => {
      const { call } = mount();
      call(1);
      await received(1);
      call(2);
      return await aborted(0);
    },
  },
  {
    what: "a request that failed is sent again",
    holds: async ({ mount, received, answer }) => {
      const { call, data } = mount({ retry: true });
      call(1);
      await received(1);
      await answer(0, {}, 503);
      await received(2);
      await answer(1, "at last");
      return await until(() => data.value === "at last");
    },
  },
  {
    what: "components that need the same share one request",
    holds: async ({ mount, received, answer }) => {
      const [one, other] = [mount({ cache: true }), mount({ cache: true })];
      one.call(1);
      other.call(1);
      await received(1);
      await answer(0, "shared");
      return await until(() => one.data.value === "shared" && other.data.value === "shared");
    },
  },
  {
    what: "an answer is kept for the next component",
    holds: async ({ mount, received, answer }) => {
      const one = mount({ cache: true });
      one.call(1);
      await received(1);
      await answer(0, "kept");
      await until(() => one.data.value === "kept");
      one.unmount();
      const next = mount({ cache: true });
      next.call(1);
      const shown = await until(() => next.data.value === "kept");
      return shown && (await received(2)).length === 1;
    },
  },
  {
    what: "a request is repeated at an interval",
    holds: async ({ mount, received, answer }) => {
      mount({ pollMs: POLL_MS }).call(1);
      await received(1);
      await answer(0, "first");
      return (await received(2)).length >= 2;
    },
  },
];

/** Tries a behavior; nothing is left of its components and requests. */
export async function tryBehavior({ holds }: Behavior, library: Library): Promise<boolean> {
  const instance = axios.create({ adapter: "fetch" });
  const apps: App[] = [];
  const mount = (wishes?: Wishes) => mountLibrary(apps, () => library.use(instance, wishes));
  const aborted = async (...requests: number[]) =>
    await untilListed((list) => requests.every((at) => list[at]?.aborted === true)) !== undefined;
  const received = async (count: number) =>
    await untilListed((list) => list.length >= count) ?? await listRequests();
  try {
    return await holds({ library, mount, received, answer, aborted });
  } finally {
    for (const app of apps) app.unmount();
    await fetch("/held", { method: "DELETE" });
  }
}

function mountLibrary(apps: App[], use: () => Used): Mounted {
  let used: Used | undefined;
  const app = createApp({
    setup() {
      used = use();
      return () => null;
    },
  });
  app.mount(document.createElement("div"));
  if (used === undefined) throw new Error("Cannot mount a component");
  const { call, data, error } = used;
  apps.push(app);
  const unmount = () => apps.splice(apps.indexOf(app), 1)[0]?.unmount();
  return { call: (id) => void call(id).then(() => {}, () => {}), data, error, unmount };
}

async function listRequests(): Promise<readonly ReceivedRequest[]> {
  return await (await fetch("/held")).json();
}

async function answer(request: number, body: unknown, status = 200): Promise<void> {
  const init = { method: "POST", body: JSON.stringify(body) };
  await fetch(`/held/${request}?status=${status}`, init);
}

/** The requests, as soon as a condition holds for them; `undefined` if it takes too long. */
async function untilListed(
  holds: (list: readonly ReceivedRequest[]) => boolean,
): Promise<readonly ReceivedRequest[] | undefined> {
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await pause()) {
    const list = await listRequests();
    if (holds(list)) return list;
  }
  return undefined;
}

/** Whether a condition comes true in time. */
async function until(holds: () => boolean): Promise<boolean> {
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await pause()) {
    if (holds()) return true;
  }
  return holds();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
