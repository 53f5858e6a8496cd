import type { Job } from "@trestle/mcp-server";
import { type Ref, ref, type ShallowRef, shallowRef } from "vue";
import { calls } from "../api/calls.ts";
import { jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { setDraft } from "./use_draft.ts";
import { goTo } from "./use_route.ts";

/** What can be done with jobs. */
interface JobActions {
  /** Whether something is being done. */
  readonly isBusy: Readonly<Ref<boolean>>;
  /** Why the last action failed, or a part of it. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  /** Cancels jobs. Never rejects. */
  cancel(ids: readonly string[]): Promise<void>;
  /** Forgets jobs that have ended. Never rejects. */
  forget(ids: readonly string[]): Promise<void>;
  /**
   * Starts a job with the same arguments, and shows it; if they are not kept as they were, shows them
   * in the form of the tool instead. Never rejects.
   */
  again(id: string): Promise<void>;
  /** Shows the arguments of a job in the form of its tool. Never rejects. */
  edit(id: string): Promise<void>;
}

/** Creates the actions of a page. */
export function useJobActions(): JobActions {
  const isBusy = ref(false);
  const problem = shallowRef<Problem>();

  async function act(work: () => Promise<unknown>): Promise<void> {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await work();
    } catch (error) {
      problem.value = await toProblem(error);
    } finally {
      isBusy.value = false;
    }
  }

  /** All are tried, although one fails. */
  const each = (ids: readonly string[], work: (id: string) => Promise<unknown>) =>
    act(async () => {
      const done = await Promise.allSettled(ids.map(work));
      const failed = done.find((one) => one.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    });

  return {
    isBusy,
    problem,
    cancel: (ids) => each(ids, (id) => jobs.cancel(id)),
    forget: (ids) => each(ids, (id) => jobs.forget(id)),
    again: (id) => act(async () => runAgain((await jobs.get(id)).data)),
    edit: (id) => act(async () => editCall((await jobs.get(id)).data)),
  };
}

async function runAgain(job: Job): Promise<void> {
  const { tool, args, argsMasked, title, stdin, tty } = job;
  if (args === undefined || argsMasked) return editCall(job);
  const call = {
    tool,
    args,
    ...(title === undefined ? {} : { title }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(tty === undefined ? {} : { tty }),
  };
  goTo("jobs", (await calls.startJob(call)).data.id);
}

function editCall({ tool, args, argsMasked }: Job): void {
  if (args !== undefined) setDraft(tool, args, { isMasked: argsMasked === true });
  goTo("tools", tool);
}
