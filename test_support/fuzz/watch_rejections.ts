import { setImmediate } from "node:timers";

/** Collects the rejections of this process that nothing handles. */
export interface RejectionWatch extends Disposable {
  /** Waits for those of the work that has just ended; returns what was collected, and forgets it. */
  take(): Promise<string[]>;
}

/** Collects unhandled rejections, and errors outside of any call, instead of ending the process. */
export function watchRejections(): RejectionWatch {
  let collected: string[] = [];
  const onRejection = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    collected.push(textOf(event.reason));
  };
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    collected.push(textOf(event.error));
  };
  addEventListener("unhandledrejection", onRejection);
  addEventListener("error", onError);
  return {
    take: async () => {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      const taken = collected;
      collected = [];
      return taken;
    },
    [Symbol.dispose]: () => {
      removeEventListener("unhandledrejection", onRejection);
      removeEventListener("error", onError);
    },
  };
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.stack ?? reason.message : String(reason);
}
