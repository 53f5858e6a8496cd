import { deepStrictEqual } from "node:assert/strict";
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
