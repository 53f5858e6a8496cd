import { expect } from "../checks.ts";
import {
  type CallerRights,
  callersText,
  EVERYTHING,
  writeCallers,
} from "../../testing/callers_file.ts";
import type { Answer } from "../../testing/http_caller.ts";
import type { ApiClient } from "../clients/api_client.ts";
import type { Random } from "../random.ts";
import { pause, waitFor } from "../waiting.ts";
import type { Services } from "../services.ts";
import type { CallSite, Tally } from "../tally.ts";
import { writeTool } from "./changing_tool.ts";
import { callersFor, type SoakServer } from "./soak_server.ts";

/** What changes work with. */
export interface ChangeParts {
  readonly services: Services;
  readonly server: SoakServer;
  readonly api: ApiClient;
  readonly tally: Tally;
}

/** Versions of the tool that a call may see. */
export interface ToolVersions {
  /** The one that is served, or an earlier one. */
  readonly served: number;
  /** The last one that was written. */
  readonly written: number;
}

/** What the callers file says about `guest`. */
export type GuestState = "absent" | "without rights" | "allowed";

/** Changes of the server's files under load, each of which is seen to have its effect. */
export interface FileChanges {
  readonly versions: ToolVersions;
  /** `undefined` while it changes. */
  readonly guest: GuestState | undefined;
  /** Makes each kind of change once. */
  all(random: Random): Promise<void>;
  /** Makes one change. */
  next(random: Random): Promise<void>;
}

const SITE: CallSite = { transport: "HTTP API", server: "http" };
/** How long a change may take to have an effect on a busy machine. */
const EFFECT_MS = 30_000;
/** How long a version that can't be used stays: longer than the server takes to notice it. */
const BROKEN_MS = 1_200;
const AFTER: Readonly<Record<GuestState, GuestState>> = {
  "absent": "allowed",
  "allowed": "without rights",
  "without rights": "absent",
};
const STATUS: Readonly<Record<GuestState, number>> = {
  "absent": 401,
  "allowed": 200,
  "without rights": 403,
};

interface State {
  served: number;
  written: number;
  guest: GuestState | undefined;
  rotated: number;
}

/** Creates the changes; nothing has been changed yet. */
export function createFileChanges(parts: ChangeParts): FileChanges {
  const state: State = { served: 1, written: 1, guest: "absent", rotated: 0 };
  const kinds = {
    toolWatched,
    toolBySignal,
    toolByRequest,
    toolBroken,
    callers,
    callersBroken,
    audit,
  };
  const make = async ([name, change]: [string, Change], random: Random) => {
    await change(parts, state, random);
    parts.tally.event(`change: ${name}`);
  };
  const [first, ...others] = Object.entries<Change>(kinds);
  return {
    versions: state,
    get guest() {
      return state.guest;
    },
    all: async (random) => {
      for (const kind of Object.entries<Change>(kinds)) await make(kind, random);
    },
    next: async (random) => {
      if (first !== undefined) await make(random.pick([first, ...others]), random);
    },
  };
}

type Change = (parts: ChangeParts, state: State, random: Random) => Promise<void>;

/** The server notices by itself that the tool has changed. */
async function toolWatched(parts: ChangeParts, state: State): Promise<void> {
  await changeTool(parts, state, () => {});
}

async function toolBySignal(parts: ChangeParts, state: State): Promise<void> {
  await changeTool(parts, state, () => parts.server.process.process.kill("SIGHUP"));
}

async function toolByRequest(parts: ChangeParts, state: State): Promise<void> {
  const { api, tally } = parts;
  const reload = (caller: string) => api.ask("/api/admin/reload", { method: "POST", caller });
  await changeTool(parts, state, async () => {
    const { status, body } = await reload("default");
    expect(status === 200, "a reload", body);
    const refused = await reload("worker");
    expect(refused.status === 403, "no reload by a caller that is no admin", refused.status);
    tally.rejected("FORBIDDEN");
  });
}

/** A version that can't be loaded changes nothing. */
async function toolBroken(parts: ChangeParts, state: State): Promise<void> {
  await writeTool(parts.server.tools, "broken");
  await pause(BROKEN_MS);
  const version = await versionOf(parts);
  expect(version === state.served, `version ${state.served}, which could be loaded`, version);
  await toolWatched(parts, state);
}

async function changeTool(
  parts: ChangeParts,
  state: State,
  notify: () => void | Promise<void>,
): Promise<void> {
  const version = ++state.written;
  await writeTool(parts.server.tools, version);
  await notify();
  await until(async () => await versionOf(parts) === version, `version ${version} of the tool`);
  state.served = version;
}

/** Adds, restricts and removes a caller, one after the other. */
async function callers(parts: ChangeParts, state: State): Promise<void> {
  const { server, services } = parts;
  const wanted = AFTER[state.guest ?? "absent"];
  state.guest = undefined;
  const rights: Readonly<Record<GuestState, Record<string, CallerRights>>> = {
    "absent": {},
    "allowed": { guest: EVERYTHING },
    "without rights": { guest: { tools: ["read-file"] } },
  };
  await writeCallers(server.folder, { ...callersFor(services), ...rights[wanted] });
  await until(async () => await guestStatus(parts) === STATUS[wanted], `the guest ${wanted}`);
  state.guest = wanted;
}

/** A file that can't be used changes nothing; the next one counts. */
async function callersBroken(parts: ChangeParts, state: State, random: Random): Promise<void> {
  const { server, services, api } = parts;
  const text = callersText(callersFor(services));
  const broken = random.pick([text.slice(0, -20), '{"callers":{}', "", `${text}}`]);
  const before = await guestStatus(parts);
  await Deno.writeTextFile(`${server.folder}/callers.json`, broken);
  await pause(BROKEN_MS);
  for (const caller of ["worker", "reader"]) {
    const { status } = await api.ask("/api/me", { caller });
    expect(status === 200, `the caller "${caller}" of the last good file`, status);
  }
  const after = await guestStatus(parts);
  expect(after === before, `the guest of the last good file, ${before}`, after);
  await callers(parts, state);
}

/** Renames the audit file, as logrotate does, and lets the server open a new one. */
async function audit({ server, services }: ChangeParts, state: State): Promise<void> {
  await Deno.rename(services.audit, `${services.audit}.${++state.rotated}`);
  server.process.process.kill("SIGHUP");
  await until(() => Deno.stat(services.audit).then(() => true, () => false), "a new audit file");
}

async function versionOf(parts: ChangeParts): Promise<unknown> {
  return (await callTool(parts, "default")).body.version;
}

async function guestStatus(parts: ChangeParts): Promise<number> {
  return (await callTool(parts, "guest")).status;
}

async function callTool({ api, tally }: ChangeParts, caller: string): Promise<Answer> {
  const answer = await api.post({ tool: "changing", args: {} }, { caller });
  if (answer.status === 200) tally.answered(SITE);
  else tally.rejected(String(answer.body.code));
  return answer;
}

async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  expect(await waitFor(check, EFFECT_MS), what, `nothing within ${EFFECT_MS} ms`);
}
