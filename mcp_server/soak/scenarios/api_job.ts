import { expect } from "../checks.ts";
import type { Job } from "../../tool/job.ts";
import { parseEvents, type ReceivedEvent } from "../../testing/jobs_server.ts";
import { type ApiClient, type ApiRequest, LONGEST_MS, timeLimit } from "../clients/api_client.ts";
import type { Random } from "../random.ts";

/** A command that ends by itself, whatever happens to its job. */
const TIMEOUT_MS = 60_000;
const WAIT = "wait=20";
const encoder = new TextEncoder();

/** A job of the HTTP API, as its caller sees it. */
export interface ApiJob {
  readonly path: string;
  readonly id: string;
  /** Sends a request about the job. */
  ask(path?: string, request?: ApiRequest): ReturnType<ApiClient["ask"]>;
  /** Resolves once its state is none of the given ones. */
  leaves(states: readonly Job["state"][]): Promise<Job>;
}

/** A call of `exec-command` with one command. */
export function shell(command: string, more: object = {}) {
  const { stdin, ...options } = { stdin: false, timeoutMs: TIMEOUT_MS, ...more };
  return { tool: "exec-command", args: { commands: [{ command }], ...options }, stdin };
}

/** Starts a job, which must be accepted. */
export async function startJob(
  api: ApiClient,
  call: object,
  { caller = "worker", headers = {} }: ApiRequest = {},
): Promise<ApiJob> {
  const prefer = { prefer: "respond-async", ...headers };
  const { status, body } = await api.post(call, { caller, headers: prefer });
  expect(status === 202, "a job that was accepted", { status, body });
  return jobAt(api, String(body.id), caller);
}

/** A job that exists. */
export function jobAt(api: ApiClient, id: string, caller: string): ApiJob {
  const path = `/api/jobs/${id}`;
  const ask: ApiJob["ask"] = (more = "", request = {}) =>
    api.ask(path + more, { caller, ...request });
  const leaves = async (states: readonly string[]): Promise<Job> => {
    const until = performance.now() + LONGEST_MS;
    let { body, headers } = await ask();
    while (states.includes(String(body.state)) && performance.now() < until) {
      const tag = { "if-none-match": headers.get("etag") ?? "" };
      const next = await ask(`?${WAIT}`, { headers: tag });
      if (next.status !== 304) ({ body, headers } = next);
    }
    expect(typeof body.state === "string" && !states.includes(body.state), "a state", body);
    return JSON.parse(JSON.stringify(body));
  };
  return { path, id, ask, leaves };
}

/** What a job has reported. */
export interface Followed {
  readonly stdout: string;
  readonly states: readonly unknown[];
  readonly last: ReceivedEvent;
}

/** The number of connections by which a job is followed. */
const MOST_CUTS = 20;

/**
 * Reads the events of a job to their end, over connections that break at random places, each of which
 * continues after the last event. Checks that no byte is missing or repeated.
 */
export async function follow(
  api: ApiClient,
  { path }: ApiJob,
  { random, caller = "worker" }: { readonly random: Random; readonly caller?: string },
): Promise<Followed> {
  const events: ReceivedEvent[] = [];
  using limit = timeLimit(LONGEST_MS);
  for (let cuts = 0; !isLast(events.at(-1)); cuts++) {
    const bytes = cuts < MOST_CUTS ? 1 + random.below(60_000) : Infinity;
    const id = events.at(-1)?.id ?? "";
    events.push(...parseEvents(await readPart(api, path, { id, caller, bytes, limit })));
  }
  let end = 0;
  for (const { event, data } of events) {
    if (event === "gap" && data.stream === "stdout") {
      expect(data.from === end, `a gap at ${end}`, data);
      end = Number(data.to);
    }
    if (event !== "stdout") continue;
    expect(data.offset === end, `output at ${end}`, data.offset);
    end += encoder.encode(String(data.text)).length;
  }
  const of = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);
  const last = events.at(-1);
  expect(last !== undefined, "an event", events);
  return {
    stdout: of("stdout").map(({ text }) => text).join(""),
    states: of("state").map(({ state }) => state),
    last,
  };
}

function isLast(event: ReceivedEvent | undefined): boolean {
  return event?.event === "result" || event?.event === "error";
}

/** Reads so many bytes of the events after an id, or all of them, and disconnects. */
async function readPart(
  api: ApiClient,
  path: string,
  { id, caller, bytes, limit }: {
    readonly id: string;
    readonly caller: string;
    readonly bytes: number;
    readonly limit: { readonly signal: AbortSignal };
  },
): Promise<string> {
  const response = await api.send(`${path}/events`, {
    caller,
    headers: { "last-event-id": id },
    signal: limit.signal,
  });
  expect(response.status === 200, "events", response.status);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let [text, size] = ["", 0];
  for await (const chunk of response.body ?? []) {
    const part = chunk.subarray(0, bytes - size);
    text += decoder.decode(part, { stream: true });
    size += part.length;
    if (size >= bytes) break;
  }
  return text;
}
