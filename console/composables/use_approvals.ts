import type { Approval, Decision, FleetApprovals, OnServer } from "@trestle/mcp-server";
import { computed, type ComputedRef, reactive, type ShallowRef, shallowRef, watch } from "vue";
import { approvals } from "../api/calls.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { usePolling } from "./use_polling.ts";
import { session } from "./use_session.ts";

/** A call that waits for approval, or has waited. */
export interface ShownApproval extends Approval, OnServer {
  /** Whether it waits no longer. */
  readonly isOver: boolean;
  /** What was decided here. */
  readonly decision?: Decision | undefined;
}

/** The calls that wait for approval, as every page of the console sees them. */
export interface ApprovalQueue {
  /**
   * The one that began to wait first is at the top; `undefined` until they are loaded, and for a caller who
   * may not decide. Calls that wait no longer keep their places, so that a click never meets another one.
   */
  readonly list: Readonly<ShallowRef<readonly ShownApproval[] | undefined>>;
  /** How many wait. */
  readonly count: ComputedRef<number>;
  /** Why they can't be loaded, or one can't be decided about. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  /** Whether a decision is on its way. */
  isDeciding(approval: Approval): boolean;
  /** Loads them again. Never rejects. */
  load(): Promise<void>;
  /** Decides about a call. Never rejects. */
  decide(approval: Approval, decision: Decision): Promise<void>;
  /** Forgets those that wait no longer. */
  forget(): void;
}

const POLL_MS = 2_000;
/** How many calls that wait no longer are shown. */
const MOST_OVER = 100;

const list = shallowRef<readonly ShownApproval[]>();
const problem = shallowRef<Problem>();
const deciding = reactive(new Set<string>());
/** Those of the latest calls that were decided about here: an answer may have been on its way. */
const decisions = new Map<string, Decision>();
/** How many times they were asked for; an answer that is overtaken by a later one is not used. */
let asked = 0;

/** The calls that wait for approval. */
export function useApprovals(): ApprovalQueue {
  const count = computed(() => list.value?.filter(({ isOver }) => !isOver).length ?? 0);
  return {
    list,
    count,
    problem,
    isDeciding: ({ id }) => deciding.has(id),
    load,
    decide,
    forget: () => void (list.value = list.value?.filter(({ isOver }) => !isOver)),
  };
}

/** Loads what waits again and again, while a caller who may decide is logged in. */
export function useApprovalPolling(): void {
  usePolling(load, POLL_MS);
  watch(session.state, () => void load());
}

/** Whether the server would show the caller what waits. */
function mayDecide(): boolean {
  const me = session.me.value;
  if (session.state.value !== "open" || me === undefined) return false;
  return me.scopes?.includes("admin") !== false && me.rights?.admin !== false;
}

async function load(): Promise<void> {
  if (!mayDecide()) {
    list.value = undefined;
    return;
  }
  const turn = ++asked;
  try {
    const { data } = await approvals.list();
    if (turn !== asked) return;
    list.value = mergeApprovals(list.value ?? [], data, decisions);
    problem.value = undefined;
  } catch (error) {
    const fault = await toProblem(error);
    if (turn !== asked) return;
    problem.value = fault;
    if ([403, 404].includes(fault.status)) list.value = undefined;
  }
}

/**
 * What is shown, once the servers have answered: one that did not may still have its calls. What was
 * decided about here is over, whatever an answer from before says.
 */
export function mergeApprovals(
  known: readonly ShownApproval[],
  { approvals: waiting, unreachable }: FleetApprovals,
  decisions: ReadonlyMap<string, Decision>,
): readonly ShownApproval[] {
  const ids = new Set(waiting.map(({ id }) => id));
  const kept = known.map((one) => {
    const decision = decisions.get(one.id);
    const isGone = !ids.has(one.id) && (one.isOver || !unreachable.includes(one.server));
    return { ...one, isOver: isGone || decision !== undefined, decision };
  });
  const surplus = new Set(kept.filter(({ isOver }) => isOver).slice(0, -MOST_OVER));
  const old = new Set(known.map(({ id }) => id));
  const added = waiting.filter(({ id }) => !old.has(id) && !decisions.has(id))
    .map((one) => ({ ...one, isOver: false }));
  return [...kept.filter((one) => !surplus.has(one)), ...added];
}

async function decide({ id }: Approval, decision: Decision): Promise<void> {
  deciding.add(id);
  const fault = await approvals.decide(id, decision).then(
    () => remember(id, decision),
    (error) => toProblem(error),
  );
  await load();
  deciding.delete(id);
  if (fault !== undefined) problem.value = fault;
}

function remember(id: string, decision: Decision): void {
  decisions.set(id, decision);
  for (const [oldest] of decisions) {
    if (decisions.size <= MOST_OVER) break;
    decisions.delete(oldest);
  }
}
