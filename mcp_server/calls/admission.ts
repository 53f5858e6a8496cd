import { type Caller, includesScope, mayUse, type Rights, scopeOf } from "../access/caller.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { LIMIT_SETTINGS, type Limits } from "../shared/limits.ts";
import { matchesWildcard } from "../shared/wildcard.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { JobRunner } from "../run/command_runner.ts";
import type { CallOutcome, Refusal } from "../tool/result.ts";
import type { ApprovalRequest } from "./approvals.ts";
import type { CallOptions } from "../tool/service.ts";
import type { AnswerBounds, RegisteredTool, ToolDefinition } from "../tool/tool.ts";
import type { Validation } from "../tool/schema.ts";
import {
  callerBusy,
  scopeMissing,
  timeoutTooLong,
  toolNotAllowed,
  toolNotReadOnly,
  tooManyCalls,
  unknownTool,
} from "./refusals.ts";

/** Whether a call may begin. */
export type Admission =
  | { readonly ok: true; readonly tool: RegisteredTool }
  | { readonly ok: false; readonly refusal: Refusal };

/** The tools that each caller may use, and those whose calls wait for approval. */
export class AllowedTools {
  readonly #registry: ToolRegistry;
  readonly #ask: readonly string[];
  /** The list of each caller with rights, as long as the list of all tools is the same. */
  readonly #lists = new WeakMap<
    Rights,
    { readonly all: readonly ToolDefinition[]; readonly own: readonly ToolDefinition[] }
  >();

  /** `ask` are names or patterns of tools whose calls need approval, whoever calls. */
  constructor(registry: ToolRegistry, ask: readonly string[]) {
    this.#registry = registry;
    this.#ask = ask;
  }

  /** How many a caller has. */
  async count(caller: Caller): Promise<number> {
    return caller.rights === undefined
      ? this.#registry.names.length
      : (await this.list(caller)).length;
  }

  /** Those of a caller, in a fixed order; the same array until the tools or the rights change. */
  async list(caller: Caller): Promise<readonly ToolDefinition[]> {
    const all = await this.#registry.list();
    const { rights } = caller;
    if (rights === undefined) return all;
    const known = this.#lists.get(rights);
    if (known?.all === all) return known.own;
    const found = await Promise.all(all.map(({ name }) => this.find(name, caller)));
    const own = found.filter((definition) => definition !== undefined);
    this.#lists.set(rights, { all, own });
    return own;
  }

  /** One tool, or `undefined` if there is none that the caller may use. */
  async find(name: string, caller: Caller): Promise<ToolDefinition | undefined> {
    const tool = mayUse(caller, name) ? await this.#registry.get(name) : undefined;
    return tool !== undefined && isHarmless(caller, tool) ? tool.definition : undefined;
  }

  /** Whether the calls of a tool by a caller need approval; the rights of the caller add some. */
  needApproval(name: string, { rights }: Caller): boolean {
    const isNamed = (pattern: string) => matchesWildcard(name, pattern);
    return this.#ask.some(isNamed) || rights?.ask?.some(isNamed) === true;
  }

  /** The tool that a caller calls, or why it can't. */
  async admit(name: string, caller: Caller): Promise<Admission> {
    const tool = await this.#registry.get(name);
    if (tool === undefined) {
      return { ok: false, refusal: unknownTool(name, await this.list(caller)) };
    }
    const refusal = refusalOf(tool, caller);
    return refusal === undefined ? { ok: true, tool } : { ok: false, refusal };
  }
}

/** Whether the tool changes nothing, if the caller may only use such ones. */
function isHarmless({ rights }: Caller, { readOnly }: RegisteredTool): boolean {
  return readOnly || rights?.readOnly !== true;
}

/** Why a caller can't call a tool, or `undefined` if it can. */
export function refusalOf(tool: RegisteredTool, caller: Caller): Refusal | undefined {
  const { definition } = tool;
  const { name } = definition;
  if (!mayUse(caller, name)) return toolNotAllowed(name, caller);
  if (!isHarmless(caller, tool)) return toolNotReadOnly(name, caller);
  const scope = scopeOf(definition);
  return includesScope(caller.scopes, scope) ? undefined : scopeMissing(name, scope);
}

/** The argument by which tools take the time-out of their commands, in milliseconds. */
const TIMEOUT = "timeoutMs";

/** The limits of each caller whose rights bound time-outs. */
const known = new WeakMap<Limits, WeakMap<Rights, Limits>>();

/** The limits of a caller's calls: its time-outs are at most as long as its rights allow. */
export function limitsOf(limits: Limits, { rights }: Caller): Limits {
  const most = rights?.maxTimeoutMs;
  if (rights === undefined || most === undefined) return limits;
  const byRights = known.get(limits) ?? new WeakMap<Rights, Limits>();
  known.set(limits, byRights);
  const own = byRights.get(rights) ?? {
    ...limits,
    timeoutMs: Math.min(limits.timeoutMs, most),
    maxTimeoutMs: Math.min(limits.maxTimeoutMs, most),
  };
  byRights.set(rights, own);
  return own;
}

/** The limits of a job: its commands may run longer than those of calls. */
export function toJobLimits(limits: Limits): Limits {
  return { ...limits, timeoutMs: limits.maxTimeoutMs, maxTimeoutMs: limits.maxJobTimeoutMs };
}

/** The characters of a whole answer for the bytes of one text: 40,000 for 32 KiB. */
const CHARACTERS = { of: 40_000, bytes: 32_768 };

/** What an answer may take by default: bounded over MCP, where a model reads it. */
export function answerBoundsOf(
  { transport, asAnswer = false }: Pick<CallOptions, "transport" | "asAnswer">,
  limits: Limits,
): AnswerBounds | undefined {
  if (transport !== "mcp-http" && transport !== "mcp-stdio" && !asAnswer) return undefined;
  const { textBytes, maxResultBytes } = limits;
  const characters = Math.floor(textBytes * CHARACTERS.of / CHARACTERS.bytes);
  return { textBytes, characters: Math.min(characters, maxResultBytes) };
}

/** The arguments by which a call asks for a larger answer than one has by default. */
const MORE = ["maxOutputBytes", "maxRows", "limit"];

/** How many characters the answer of a call may take, if it is bounded and asks for no more. */
export function mostCharactersOf(
  input: unknown,
  options: Pick<CallOptions, "transport" | "asAnswer">,
  limits: Limits,
): number | undefined {
  if (isJsonObject(input) && MORE.some((name) => input[name] !== undefined)) return undefined;
  return answerBoundsOf(options, limits)?.characters;
}

/** Whether a tool runs as a call or as a job, whose time-outs have bounds of their own. */
export type RunKind = "call" | "job";

/**
 * Why a call or a job can't have the time-out that it asks for, or `undefined` if it can; `limits`
 * are those of the server.
 */
export function checkTimeout(
  tool: string,
  input: unknown,
  { kind, limits, caller }: {
    readonly kind: RunKind;
    readonly limits: Limits;
    readonly caller: Caller;
  },
): Refusal | undefined {
  const wish = isJsonObject(input) ? input[TIMEOUT] : undefined;
  const most = kind === "job" ? limits.maxJobTimeoutMs : limits.maxTimeoutMs;
  const own = caller.rights?.maxTimeoutMs ?? Infinity;
  if (typeof wish !== "number" || wish <= Math.min(most, own)) return undefined;
  const hint = kind === "call" && limits.maxJobTimeoutMs > most ? LONGER : "";
  const rule = own < most
    ? `for the caller "${caller.name}" (maxTimeoutMs)`
    : `for a ${kind} (${SETTINGS[kind]})${hint}`;
  return timeoutTooLong(tool, { argument: TIMEOUT, most: Math.min(most, own), rule });
}

const SETTINGS: Readonly<Record<RunKind, string>> = {
  call: envOf("maxTimeoutMs"),
  job: envOf("maxJobTimeoutMs"),
};
const LONGER = "; job-start runs longer work";

function envOf(limit: keyof Limits): string {
  return LIMIT_SETTINGS.find(({ key }) => key === limit)?.env ?? limit;
}

/**
 * Checks the arguments of a job. A time-out may be longer than the tool's schema allows; a job that
 * names none has the default of jobs, and not that of the schema.
 */
export async function validateForJob(
  tool: RegisteredTool,
  input: unknown,
  limits: Limits,
): Promise<Validation> {
  const schema = timeoutSchemaOf(tool);
  if (schema === undefined || !isJsonObject(input)) return await tool.validate(input);
  const wish = input[TIMEOUT];
  const most = mostOf(schema);
  const isLonger = typeof wish === "number" && Number.isInteger(wish) && wish > most;
  const args = await tool.validate(isLonger ? { ...input, [TIMEOUT]: most } : input);
  if (!args.ok || !isJsonObject(args.value)) return args;
  const given = typeof wish === "number" ? wish : limits.timeoutMs;
  return { ok: true, value: { ...args.value, [TIMEOUT]: given } };
}

function timeoutSchemaOf({ definition }: RegisteredTool): JsonObject | undefined {
  const { properties } = definition.inputSchema;
  const schema = isJsonObject(properties) ? properties[TIMEOUT] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}

function mostOf({ maximum, exclusiveMaximum }: JsonObject): number {
  const bounds = [maximum, typeof exclusiveMaximum === "number" ? exclusiveMaximum - 1 : undefined];
  return Math.min(Infinity, ...bounds.filter((bound) => typeof bound === "number"));
}

/** Counts the running calls: all, and those of callers whose rights bound them. */
export class CallCount {
  readonly #most: number;
  #all = 0;
  readonly #ofCallers = new Map<string, number>();

  /** There may be `most` in all. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a call until it is disposed of; or why there can't be one more, or not of its caller. */
  enter({ name, rights }: Caller): Disposable | Refusal {
    if (this.#all >= this.#most) return tooManyCalls(this.#most);
    const most = rights?.maxCalls;
    const running = this.#ofCallers.get(name) ?? 0;
    if (most !== undefined && running >= most) return callerBusy(name, most);
    this.#all++;
    if (most !== undefined) this.#ofCallers.set(name, running + 1);
    let isIn = true;
    return {
      [Symbol.dispose]: () => {
        if (!isIn) return;
        isIn = false;
        this.#all--;
        if (most !== undefined) this.#leave(name);
      },
    };
  }

  #leave(name: string): void {
    const left = (this.#ofCallers.get(name) ?? 1) - 1;
    if (left === 0) this.#ofCallers.delete(name);
    else this.#ofCallers.set(name, left);
  }
}

/** A call that may become a job while it runs. */
export interface Adoptable {
  /** A word in the environment of its processes, by which those of the job are found. */
  readonly mark: string;
  /** The id of the job; `undefined` as long as the call is none yet. */
  readonly jobId: () => string | undefined;
  /** Called with what ends its count among the running calls before its end. */
  readonly onEntered: (entered: Disposable) => void;
}

/** A run of a job. */
export interface JobRun extends Pick<Adoptable, "jobId"> {
  readonly runner: Pick<JobRunner, "forCall">;
}

/** A call of a job whose arguments are checked, or why there is none. */
export type PreparedCall =
  | { readonly ok: false; readonly refusal: Refusal }
  | {
    readonly ok: true;
    /**
     * Waits until the call is approved, or says why it is not, which is recorded; absent if it needs no
     * approval. A call that was not approved before it runs waits then.
     */
    readonly approve?: (wait: ApprovalWait) => Promise<Refusal | undefined>;
    /** Why its caller, with the rights that it has by then, may not begin it; that is recorded. */
    readonly recheck: (caller: Caller) => Refusal | undefined;
    /** Carries out the call with the runner of the job; never rejects. */
    readonly run: (options: CallOptions, job: JobRun) => Promise<CallOutcome>;
    /** Releases the tool, also if the call was never carried out. */
    readonly [Symbol.dispose]: () => void;
  };

/** Who may approve a call of a job before it runs, and what ends the wait. */
export type ApprovalWait = Pick<ApprovalRequest, "signal" | "ask" | "stdin" | "job">;

/** A call of a job whose arguments are checked, or why there is none. */
export type CheckedCall =
  | { readonly ok: false; readonly refusal: Refusal }
  | { readonly ok: true; readonly call: ToolCall };

/** A tool and how the arguments of one call are checked. */
export interface ToolCall {
  readonly tool: RegisteredTool;
  /** The arguments, as the client sent them. */
  readonly input: unknown;
  readonly validate: () => Validation | Promise<Validation>;
  /** Whose call is approved: a caller with other rights needs a new approval. */
  approvedFor?: Caller;
}
