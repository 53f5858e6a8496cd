import {
  type Caller,
  DEFAULT_CALLER,
  includesScope,
  isAdmin,
  NOBODY,
  type Scope,
  scopeOf,
} from "../access/caller.ts";
import type { KeptFigures, KeptRange } from "../calls/call_history.ts";
import type { JsonObject } from "../shared/json.ts";
import { lateModule } from "../shared/concurrency.ts";
import type {
  Approval,
  ApprovalDesk,
  Decider,
  Decision,
  DecisionVerdict,
  LiveCall,
  LiveCalls,
  OnServer,
  ServerHealth,
  Stopper,
} from "../tool/fleet_desk.ts";
import type { FleetServer, ServerIdentity } from "../tool/job.ts";
import type { JobHost, Meter, ToolService } from "../tool/service.ts";
import type { ServerMetrics } from "./merge_figures.ts";

/** What servers ask and answer; its schemas take a while to create, and a server alone needs none. */
export const schemasOfAnswers = lateModule<typeof import("./answers.ts")>(
  import.meta.resolve("./answers.ts"),
);

/** What a server knows of itself. */
interface LocalParts {
  readonly identity: ServerIdentity;
  readonly calls: LiveCalls;
  readonly approvals: ApprovalDesk;
  readonly service: Pick<ToolService, "find">;
  readonly meter: Pick<Meter, "render">;
  readonly history: { figures(): KeptFigures };
  /** Commands that run, and calls and jobs that wait for a permit. */
  readonly load: () => FleetServer["load"];
  readonly jobs: Pick<JobHost, "state">;
  readonly countJobs: () => ServerHealth["jobs"];
  /** The caller of a name with the rights that it has here; `undefined` if it is unknown here. */
  readonly callerOf: (name: string, scopes?: readonly string[]) => Caller | undefined;
}

/** A call that may be stopped, and the scope for that which the token of the caller does not have. */
interface FoundCall {
  readonly has: boolean;
  readonly needsScope?: Scope | undefined;
}

const NOT_FOUND: FoundCall = { has: false };

/** What this server alone answers, to its own clients and to other servers. */
export class LocalServer {
  readonly #parts: LocalParts;
  readonly #startedAt = new Date(performance.timeOrigin).toISOString();

  constructor(parts: LocalParts) {
    this.#parts = parts;
  }

  /** Its name. */
  get name(): string {
    return this.#parts.identity.name;
  }

  /** The calls that a caller sees. */
  calls(caller: Caller): { readonly calls: (LiveCall & OnServer)[]; readonly more: number } {
    const { calls, more } = this.#parts.calls.list(caller);
    return { calls: calls.map((call) => this.#here(call)), more };
  }

  /** Looks for a call that a caller may stop. */
  async find(id: string, caller: Caller): Promise<FoundCall> {
    const { calls, service } = this.#parts;
    const call = calls.find(id, caller);
    if (call === undefined) return NOT_FOUND;
    const scope = scopeOf(await service.find(call.tool, caller) ?? {});
    return includesScope(caller.scopes, scope) ? { has: true } : { has: true, needsScope: scope };
  }

  /** Stops a call as `LiveCalls.stop()`, unless a scope for that is missing. */
  async stop(id: string, by: Stopper): Promise<(LiveCall & OnServer) | undefined> {
    const { has, needsScope } = await this.find(id, by.caller);
    if (!has || needsScope !== undefined) return undefined;
    const call = await this.#parts.calls.stop(id, by);
    return call && this.#here(call);
  }

  /** How it is. */
  health(): ServerHealth {
    const { identity: { version }, calls, load, jobs, countJobs } = this.#parts;
    const all = calls.list(DEFAULT_CALLER);
    return this.#here({
      version,
      state: jobs.state,
      startedAt: this.#startedAt,
      calls: all.calls.length + all.more,
      ...load(),
      jobs: countJobs(),
      memoryBytes: Deno.memoryUsage().rss,
    });
  }

  /** Its metrics, in the text format of Prometheus. */
  async metrics(): Promise<ServerMetrics> {
    return this.#here({ text: (await this.#parts.meter.render()).text });
  }

  /** What it did. */
  ownFigures(): KeptFigures {
    return this.#parts.history.figures();
  }

  /** What it did, for people who look at several servers. */
  figures(): KeptFigures & OnServer {
    const { hour, day } = this.ownFigures();
    const named = (range: KeptRange): KeptRange => ({
      ...range,
      tools: range.tools.map((tally) => ({ ...tally, longest: this.#here(tally.longest) })),
    });
    return this.#here({ hour: named(hour), day: named(day) });
  }

  /** The calls that wait for approval; none for a caller that is no admin here. */
  approvals(caller: Caller): (Approval & OnServer)[] {
    if (!isAdmin(caller)) return [];
    return this.#parts.approvals.list().map((waiting) => this.#here(waiting));
  }

  /** Decides about a call that waits here. */
  decide(id: string, decision: Decision, by: Decider): Promise<DecisionVerdict> {
    return this.#parts.approvals.decide(id, decision, by);
  }

  /** Answers the question of another server; rejects if it is none. */
  async answer(about: string, question: JsonObject): Promise<unknown> {
    const { ByAsker, Change, Choice } = await schemasOfAnswers();
    const asker = () => this.#callerOf(ByAsker.parse(question).by);
    const by = (): Stopper => {
      const { address } = Change.parse(question);
      const caller = asker();
      return address === undefined ? { caller } : { caller, address };
    };
    switch (about) {
      case "calls":
        return this.calls(asker());
      case "find":
        return await this.find(Change.parse(question).id, asker());
      case "stop":
        return { call: await this.stop(Change.parse(question).id, by()) };
      case "health":
        return this.health();
      case "metrics":
        return await this.metrics();
      case "figures":
        return this.figures();
      case "approvals":
        return this.approvals(asker());
      case "decide": {
        const { decision } = Choice.parse(question);
        return await this.decide(Change.parse(question).id, decision, by());
      }
      default:
        throw new TypeError(`Cannot answer about "${about}": this version does not know it`);
    }
  }

  /** The caller that asks another server; one that is unknown here has no rights. */
  #callerOf(
    { name, scopes }: { readonly name: string; readonly scopes?: string[] | undefined },
  ): Caller {
    return this.#parts.callerOf(name, scopes) ?? { ...NOBODY, name };
  }

  #here<Thing extends object>(thing: Thing): Thing & OnServer {
    return { server: this.name, ...thing };
  }
}
