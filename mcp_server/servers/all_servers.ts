import type { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { Messages, Peer } from "../jobs/job_store.ts";
import type { JsonObject } from "../shared/json.ts";
import type { Log } from "../shared/log.ts";
import type {
  Decider,
  Decision,
  Figures as FiguresOfServer,
  FleetApprovals,
  FleetCallList,
  FleetDecision,
  FleetDesk,
  FleetFigures,
  FleetHealth,
  FleetMetrics,
  FromServers,
  Stopper,
  StopVerdict,
} from "../tool/fleet_desk.ts";
import { type LocalServer, schemasOfAnswers } from "./local_server.ts";
import { mergeFigures, mergeMetrics, toFigures } from "./merge_figures.ts";
import { type PeerAnswer, Peers } from "./peers.ts";

/** How a server reaches the others. */
interface AllServersParts {
  readonly local: LocalServer;
  /** Opens the store that the servers share, which `join()` is called with; absent if they don't. */
  readonly openStore?: (() => Promise<unknown>) | undefined;
  readonly log: Log;
}

/** Stands for all servers. */
const ALL = "*";
/** The most calls of a list. */
const MOST_CALLS = 1_000;
/** How long a change may take on another server, which waits 5 s for the end of a call. */
const CHANGE_MS = 7_000;

/** This server and those that share its jobs, as one. */
export class AllServers implements FleetDesk {
  readonly #parts: AllServersParts;
  #peers: Peers | undefined;

  constructor(parts: AllServersParts) {
    this.#parts = parts;
  }

  /** Answers the servers that share a store, as long as that is open. */
  join(messages: Messages): void {
    const { local, log } = this.#parts;
    this.#peers = new Peers(messages, (...about) => local.answer(...about), log);
  }

  async calls(caller: Caller, server: string): Promise<FleetCallList> {
    const own = (local: LocalServer) => local.calls(caller);
    const { values, unreachable } = await this.#gather(server, "calls", toQuestion(caller), {
      asker: caller.name,
      schema: (all) => all.Calls,
      own,
    });
    const calls = values.flatMap((value) => value.calls).toSorted(
      byText(({ startedAt }) => startedAt),
    );
    const more = values.reduce((sum, value) => sum + value.more, 0);
    return {
      calls: calls.slice(0, MOST_CALLS),
      more: more + Math.max(0, calls.length - MOST_CALLS),
      unreachable,
    };
  }

  async stop(id: string, by: Stopper): Promise<StopVerdict> {
    const { local } = this.#parts;
    const { caller, address } = by;
    const { has, needsScope } = await local.find(id, caller);
    if (needsScope !== undefined) return { kind: "needsScope", scope: needsScope };
    const stopped = has ? await local.stop(id, by) : undefined;
    if (stopped !== undefined) return { kind: "stopped", call: stopped };
    const question = { ...toQuestion(caller), id, ...address === undefined ? {} : { address } };
    const peers = await this.#open();
    if (peers === undefined) return { kind: "unknown", unreachable: [] };
    const { Found, Stopped } = await schemasOfAnswers();
    const { answers, silent } = await peers.ask("find", question, {
      asker: caller.name,
      peers: await peers.all(),
      isEnough: ({ value }) => Found.safeParse(value).data?.has === true,
    });
    const found = answers.find(({ value }) => Found.safeParse(value).data?.has === true);
    if (found === undefined) return { kind: "unknown", unreachable: namesOf(silent) };
    const scope = Found.parse(found.value).needsScope;
    if (scope !== undefined) return { kind: "needsScope", scope };
    const { answers: [last] } = await peers.ask("stop", question, {
      asker: caller.name,
      peers: [found.peer],
      withinMs: CHANGE_MS,
    });
    const stop = Stopped.safeParse(last?.value);
    if (!stop.success) return { kind: "unknown", unreachable: [found.peer.name] };
    const { call } = stop.data;
    return call === undefined ? { kind: "unknown", unreachable: [] } : { kind: "stopped", call };
  }

  async health(server?: string): Promise<FleetHealth> {
    if (server === undefined) {
      return { servers: [this.#parts.local.health()], unreachable: [] };
    }
    const own = (local: LocalServer) => local.health();
    const found = await this.#gather(server, "health", {}, { schema: (all) => all.Health, own });
    return {
      servers: found.values.toSorted(byText((health) => health.server)),
      unreachable: found.unreachable,
    };
  }

  async metrics(server: string): Promise<FleetMetrics> {
    const own = (local: LocalServer) => local.metrics();
    const found = await this.#gather(server, "metrics", {}, { schema: (all) => all.Metrics, own });
    const all = found.values.toSorted(byText((metrics) => metrics.server));
    const { unreachable } = found;
    return { text: mergeMetrics(all, unreachable), unreachable };
  }

  ownFigures(): FiguresOfServer {
    return toFigures(this.#parts.local.ownFigures());
  }

  async figures(server: string): Promise<FleetFigures> {
    const own = (local: LocalServer) => local.figures();
    const found = await this.#gather(server, "figures", {}, { schema: (all) => all.Figures, own });
    const { values, unreachable } = found;
    const servers = values.map((value) => value.server).toSorted();
    return { servers, ...toFigures(mergeFigures(values)), unreachable };
  }

  async approvals(caller: Caller, server: string): Promise<FleetApprovals> {
    const own = (local: LocalServer) => local.approvals(caller);
    const { values, unreachable } = await this.#gather(server, "approvals", toQuestion(caller), {
      asker: caller.name,
      schema: (all) => all.AllWaiting,
      own,
    });
    return { approvals: values.flat().toSorted(byText(({ createdAt }) => createdAt)), unreachable };
  }

  async decide(id: string, decision: Decision, by: Decider): Promise<FleetDecision> {
    const { local } = this.#parts;
    const own = await local.decide(id, decision, by);
    if (own.ok || own.code !== "APPROVAL_NOT_FOUND") return { ...own, unreachable: [] };
    const peers = await this.#open();
    if (peers === undefined) return { ...own, unreachable: [] };
    const { Verdict } = await schemasOfAnswers();
    const { caller: { name: asker }, address } = by;
    const question = {
      ...toQuestion(by.caller),
      id,
      decision,
      ...address === undefined ? {} : { address },
    };
    const isDecided = ({ value }: PeerAnswer) => {
      const { data } = Verdict.safeParse(value);
      return data !== undefined && (data.ok || data.code !== "APPROVAL_NOT_FOUND");
    };
    const options = { asker, peers: await peers.all(), withinMs: CHANGE_MS, isEnough: isDecided };
    const { answers, silent } = await peers.ask("decide", question, options);
    const decided = answers.find(isDecided);
    return {
      ...decided === undefined ? own : Verdict.parse(decided.value),
      unreachable: namesOf(silent),
    };
  }

  /** What this server and the others answer, as far as they are meant. */
  async #gather<Value>(
    server: string,
    about: string,
    question: JsonObject,
    { asker, schema, own }: {
      readonly asker?: string;
      readonly schema: (all: typeof import("./answers.ts")) => z.ZodType<Value>;
      readonly own: (local: LocalServer) => Value | Promise<Value>;
    },
  ): Promise<{ readonly values: Value[] } & FromServers> {
    const { local } = this.#parts;
    const isMeant = ({ name }: { readonly name: string }) => server === ALL || server === name;
    const values: Value[] = isMeant(local) ? [await own(local)] : [];
    const peers = await this.#open();
    const others = (await peers?.all() ?? []).filter(isMeant);
    const { answers, silent } = await peers?.ask(about, question, { asker, peers: others }) ??
      { answers: [], silent: [] };
    const unreachable = namesOf(silent);
    for (const { peer, value } of answers) {
      const { success, data } = schema(await schemasOfAnswers()).safeParse(value);
      if (success) values.push(data);
      else unreachable.push(peer.name);
    }
    const isUnknown = server !== ALL && values.length === 0 && unreachable.length === 0;
    return { values, unreachable: isUnknown ? [server] : unreachable };
  }

  /** The other servers, once the store is open; `undefined` if there can't be any. */
  async #open(): Promise<Peers | undefined> {
    await this.#parts.openStore?.();
    return this.#peers;
  }
}

function toQuestion({ name, scopes }: Caller): { readonly by: JsonObject } {
  return { by: scopes === undefined ? { name } : { name, scopes: [...scopes] } };
}

function namesOf(peers: readonly Peer[]): string[] {
  return peers.map(({ name }) => name);
}

/** Compares by a text, for `toSorted()`. */
function byText<Value>(textOf: (value: Value) => string): (a: Value, b: Value) => number {
  return (a, b) => textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0;
}
