import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { within } from "../shared/concurrency.ts";
import type { AddressedCommand } from "./job_store.ts";
import { RemoteCommands } from "./job_upkeep.ts";
import type { LiveJob } from "./live_job.ts";

Deno.test("RemoteCommands writes input in order, however late the store answers", async () => {
  const answers = [Promise.withResolvers<AddressedCommand[]>(), toAnswer("b")];
  const asked = [...answers];
  let report = (_id?: string) => {};
  const written: string[] = [];
  const store = {
    onChange: (listener: typeof report) => {
      report = listener;
      return { [Symbol.dispose]: () => {} };
    },
    takeCommands: async () => await asked.shift()?.promise ?? [],
  };
  const job: Pick<LiveJob, "write" | "stop" | "answer"> = {
    stop: () => true,
    answer: () => {},
    write: (command) => {
      if (command.kind === "stdin") written.push(new TextDecoder().decode(command.bytes));
      return "accepted";
    },
  };
  const commands = new RemoteCommands(store, new Map([["job", job]]), (error) => {
    throw error;
  });
  commands.listen();
  report();
  await nextTurn();
  report();
  await nextTurn();
  deepStrictEqual(written, []);
  answers[0]?.resolve(toInput("a"));
  await nextTurn();
  deepStrictEqual(written, ["a", "b"]);
  commands.stop();
});

Deno.test("RemoteCommands takes what it left in the store as soon as there is room, without a change", async () => {
  const stored = [...toInput("a"), ...toInput("b")];
  let report = (_id?: string) => {};
  const store = {
    onChange: (listener: typeof report) => {
      report = listener;
      return { [Symbol.dispose]: () => {} };
    },
    takeCommands: (full: ReadonlySet<string>) =>
      Promise.resolve(full.size > 0 ? [] : stored.splice(0, 1)),
  };
  const written: string[] = [];
  const [both, verdicts] = [
    Promise.withResolvers<void>(),
    ["full", "accepted", "accepted"] as const,
  ];
  let writes = 0;
  const job: Pick<LiveJob, "write" | "stop" | "answer"> = {
    stop: () => true,
    answer: () => {},
    write: (command) => {
      const verdict = verdicts[writes++] ?? "accepted";
      if (verdict === "accepted" && command.kind === "stdin") {
        written.push(new TextDecoder().decode(command.bytes));
      }
      if (written.length === 2) both.resolve();
      return verdict;
    },
  };
  const commands = new RemoteCommands(store, new Map([["job", job]]), (error) => {
    throw error;
  });
  commands.listen();
  report();
  // The timer of the second attempt does not keep the process alive.
  strictEqual(await within(both.promise, 20_000), true);
  deepStrictEqual(written, ["a", "b"]);
  commands.stop();
});

function toInput(text: string): AddressedCommand[] {
  return [{ id: "job", command: { kind: "stdin", bytes: new TextEncoder().encode(text) } }];
}

function toAnswer(text: string): PromiseWithResolvers<AddressedCommand[]> {
  const answer = Promise.withResolvers<AddressedCommand[]>();
  answer.resolve(toInput(text));
  return answer;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
