import type { GraphQLSchema } from "graphql";
import { type Ref, ref, type ShallowRef, shallowRef, watch } from "vue";
import type { ResolverMap } from "@trestle/mirage-graphql";
import type { SharedState } from "./link/shared_state.ts";
import {
  changedTables,
  createRecordEditor,
  readTables,
  type RecordEditor,
  type Tables,
} from "./mock/records.ts";
import {
  createLoggingClient,
  type LoggedRequest,
  type SentOperation,
  type SwitchedFailure,
} from "./mock/request_log.ts";
import { type Problem, problemsOf } from "./mock/schema_source.ts";
import { type StartedMock, startMock } from "./mock/start_mock.ts";
import { type CodeProblem, evaluateResolvers, lineInStack } from "./mock/user_resolvers.ts";

/** Larger schemas take a second to mock: not after each key. */
export const MAX_LIVE_CHARACTERS = 100_000;
/** Milliseconds without a key, after which a small schema is mocked. */
const PAUSE_MS = 300;

/** What the page works on. */
export interface Playground {
  readonly schemaText: Ref<string>;
  /** The operation in GraphiQL's editor; setting it shows another. */
  readonly operation: Ref<string>;
  /** What GraphiQL begins with; it changes when another example or link is opened. */
  readonly firstOperation: Ref<string>;
  /** Why the schema in the editor is not the one that is mocked; empty if it is. */
  readonly problems: ShallowRef<readonly Problem[]>;
  /** Whether the editor has a schema that is mocked only when asked for. */
  readonly isWaiting: Ref<boolean>;
  readonly clientSchema: ShallowRef<GraphQLSchema | undefined>;
  readonly tables: ShallowRef<Tables>;
  readonly requests: ShallowRef<readonly LoggedRequest[]>;
  /** Milliseconds that each response takes. */
  readonly latency: Ref<number>;
  readonly failure: ShallowRef<SwitchedFailure | undefined>;
  readonly resolverText: Ref<string>;
  readonly resolverProblem: ShallowRef<CodeProblem | undefined>;
  /** The text of the resolvers that the mock runs; empty if it runs none. */
  readonly runningText: Ref<string>;
  /** Opens an example, a link or a file; its resolvers wait for `runResolvers()`. */
  open(state: SharedState): Promise<void>;
  /** What a link carries. */
  share(): SharedState;
  /** Mocks the schema in the editor now. */
  start(): Promise<void>;
  /** Runs the text of the resolvers in this page, and gives the mock what it exports. */
  runResolvers(): Promise<void>;
  stopResolvers(): Promise<void>;
  /** Changes records, and returns why that is refused, if it is. */
  edit(act: (editor: RecordEditor) => void): string | undefined;
  resetRecords(): Promise<void>;
  clearRequests(): void;
  send(operation: SentOperation): Promise<object> | AsyncIterable<object>;
}

/** Creates the state of the page; nothing is mocked before `open()`. */
export function usePlayground(): Playground {
  const schemaText = ref("");
  const operation = ref("");
  const firstOperation = ref("");
  const problems = shallowRef<readonly Problem[]>([]);
  const isWaiting = ref(false);
  const clientSchema = shallowRef<GraphQLSchema>();
  const tables = shallowRef<Tables>({});
  const requests = shallowRef<readonly LoggedRequest[]>([]);
  const latency = ref(0);
  const failure = shallowRef<SwitchedFailure>();
  const resolverText = ref("");
  const resolverProblem = shallowRef<CodeProblem>();
  const runningText = ref("");
  let started: StartedMock | undefined;
  let running: { resolvers: ResolverMap<unknown>; url: string } | undefined;
  let mockedText = "";
  let pause: ReturnType<typeof setTimeout> | undefined;
  let runs = 0;

  const client = createLoggingClient({
    failure: () => failure.value,
    onFailed: () => failure.value = undefined,
    onChange(latest) {
      requests.value = latest;
      look();
    },
  });

  /** Shows the records as they are now, and where a resolver has failed. */
  function look(): void {
    if (started === undefined) return;
    tables.value = readTables(started.mock, Object.keys(started.generated));
    const [error] = started.mock.operations.at(-1)?.errors ?? [];
    const line = running && lineInStack(error?.originalError, running.url);
    if (line !== undefined) resolverProblem.value = { message: error?.message ?? "", line };
  }

  async function startWith(edited: Tables): Promise<void> {
    clearTimeout(pause);
    const text = schemaText.value;
    const run = ++runs;
    isWaiting.value = false;
    try {
      const next = await startMock({
        schemaText: text,
        tables: edited,
        resolvers: running?.resolvers,
        latency: () => latency.value,
      });
      if (run !== runs) return;
      started = next;
      mockedText = text;
      problems.value = [];
      clientSchema.value = next.clientSchema;
      look();
    } catch (error) {
      if (run !== runs) return;
      problems.value = problemsOf(error, text);
    }
  }

  watch(schemaText, (text) => {
    clearTimeout(pause);
    if (text === mockedText) return;
    isWaiting.value = text.length > MAX_LIVE_CHARACTERS;
    if (!isWaiting.value) pause = setTimeout(() => startWith({}), PAUSE_MS);
  }, { flush: "sync" });

  async function runResolvers(): Promise<void> {
    const text = resolverText.value;
    const evaluated = await evaluateResolvers(text);
    if ("problem" in evaluated) return void (resolverProblem.value = evaluated.problem);
    useResolvers(evaluated, text);
    await startWith(share().tables);
    const [problem] = problems.value;
    if (problem !== undefined) {
      resolverProblem.value = { message: problem.message, line: undefined };
      problems.value = [];
    }
  }
  function useResolvers(next: typeof running, text: string): void {
    if (running !== undefined) URL.revokeObjectURL(running.url);
    running = next;
    runningText.value = text;
    resolverProblem.value = undefined;
  }
  function share(): SharedState {
    return {
      schema: schemaText.value,
      operation: operation.value,
      tables: started === undefined ? {} : changedTables(started.generated, tables.value),
      resolvers: resolverText.value,
    };
  }

  return {
    ...{ schemaText, operation, firstOperation, problems, isWaiting, clientSchema, tables },
    ...{ requests, latency, failure, resolverText, resolverProblem, runningText, share },
    runResolvers,
    start: () => startWith({}),
    async open(state) {
      useResolvers(undefined, "");
      schemaText.value = state.schema;
      operation.value = state.operation;
      firstOperation.value = state.operation;
      resolverText.value = state.resolvers;
      client.clear();
      await startWith(state.tables);
    },
    async stopResolvers() {
      const { tables: edited } = share();
      useResolvers(undefined, "");
      await startWith(edited);
    },
    edit(act) {
      if (started === undefined) return "Cannot edit: there is no schema yet";
      try {
        act(createRecordEditor(started.mock, started.generate));
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      } finally {
        look();
      }
    },
    resetRecords: () => startWith({}),
    clearRequests: client.clear,
    send(sent) {
      if (started !== undefined) return client.send(started.mock, sent);
      return Promise.reject(new Error("Cannot send: there is no schema yet"));
    },
  };
}
