import { buildClientSchema, type GraphQLSchema } from "graphql";
import { computed, onScopeDispose, type Ref, ref, type ShallowRef, shallowRef, watch } from "vue";
import type { SharedState } from "./link/shared_state.ts";
import { type CreateWorker, MockClient } from "./mock/mock_client.ts";
import type { HostReport, RecordEdit } from "./mock/mock_host.ts";
import { changedTables, type Tables } from "./mock/records.ts";
import {
  type LoggedRequest,
  MAX_REQUESTS,
  type SentOperation,
  type SwitchedFailure,
} from "./mock/request_log.ts";
import type { Problem } from "./mock/schema_source.ts";
import { type CodeProblem, lineOfSyntaxError } from "./mock/user_resolvers.ts";
import { loadSchema, type Sample } from "./samples/samples.ts";

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
  /** The name of the example that is in the editor as it is; empty for other schemas. */
  readonly sampleName: Readonly<Ref<string>>;
  /** Why the schema in the editor is not the one that is mocked; empty if it is. */
  readonly problems: ShallowRef<readonly Problem[]>;
  /** Whether the editor has a schema that is mocked only when asked for. */
  readonly isWaiting: Ref<boolean>;
  /** Whether a schema is being mocked. */
  readonly isStarting: Ref<boolean>;
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
  /** Opens a link or a file; its resolvers wait for `runResolvers()`. */
  open(state: SharedState): Promise<void>;
  /** Opens an example. */
  openSample(sample: Sample): Promise<void>;
  /** What a link carries. */
  share(): SharedState;
  /** Mocks the schema in the editor now. */
  start(): Promise<void>;
  /** Runs the text of the resolvers in the mock's worker. */
  runResolvers(): Promise<void>;
  stopResolvers(): Promise<void>;
  /** Changes records, and returns why that is refused, if it is. */
  edit(edit: RecordEdit): Promise<string | undefined>;
  resetRecords(): Promise<void>;
  clearRequests(): void;
  send(operation: SentOperation): Promise<object> | AsyncIterable<object>;
}

/** Creates the state of the page; nothing is mocked before `open()`. */
export function usePlayground(createWorker: CreateWorker): Playground {
  const schemaText = ref("");
  const operation = ref("");
  const firstOperation = ref("");
  const problems = shallowRef<readonly Problem[]>([]);
  const isWaiting = ref(false);
  const isStarting = ref(false);
  const clientSchema = shallowRef<GraphQLSchema>();
  const tables = shallowRef<Tables>({});
  const requests = shallowRef<readonly LoggedRequest[]>([]);
  const latency = ref(0);
  const failure = shallowRef<SwitchedFailure>();
  const resolverText = ref("");
  const resolverProblem = shallowRef<CodeProblem>();
  const runningText = ref("");
  const opened = shallowRef<{ readonly name: string; readonly schema: string }>();
  let generated: Tables = {};
  let client: MockClient | undefined;
  /** The mock that is being started. */
  let next: MockClient | undefined;
  let latestSample: Sample | undefined;
  let mockedText = "";
  let pause: ReturnType<typeof setTimeout> | undefined;
  onScopeDispose(() => [client, next].forEach((one) => one?.close()));

  const settings = () => ({ latency: latency.value, failure: failure.value });
  watch([latency, failure], () => client?.set(settings()), { flush: "sync" });

  /** Starts a mock in a new worker, which answers once it is there; what runs until then stays. */
  async function startWith(edited: Tables, code = runningText.value): Promise<void> {
    clearTimeout(pause);
    next?.close();
    const starting = new MockClient(createWorker);
    next = starting;
    const text = schemaText.value;
    const past = requests.value;
    isWaiting.value = false;
    isStarting.value = true;
    const input = {
      ...{ schemaText: text, tables: edited, resolverText: code },
      settings: settings(),
    };
    try {
      const start = await starting.start(input, (report) => show(starting, report, past));
      if (next !== starting) return;
      if (start.kind === "schema") {
        problems.value = start.problems;
      } else if (start.kind === "resolvers") {
        const line = start.isSyntax ? await lineOfSyntaxError(code) : start.problem.line;
        resolverProblem.value = { ...start.problem, line };
      } else {
        client?.close();
        client = starting;
        mockedText = text;
        runningText.value = code;
        problems.value = [];
        generated = start.generated;
        tables.value = start.tables;
        clientSchema.value = buildClientSchema(start.introspection);
      }
    } catch (error) {
      if (next !== starting) return;
      problems.value = [{ message: String(error), line: undefined, column: undefined }];
    } finally {
      if (client !== starting) starting.close();
      if (next === starting) {
        next = undefined;
        isStarting.value = false;
      }
    }
  }

  /** Shows what a mock reports, above the requests of those before it. */
  function show(from: MockClient, report: HostReport, past: readonly LoggedRequest[]): void {
    if (from !== client) return;
    const first = past[0]?.number ?? 0;
    const own = report.requests.map((one) => ({ ...one, number: one.number + first }));
    requests.value = [...own, ...report.isCleared ? [] : past].slice(0, MAX_REQUESTS);
    tables.value = report.tables;
    if (report.hasFailed) failure.value = undefined;
    if (report.resolverProblem !== undefined) resolverProblem.value = report.resolverProblem;
  }

  watch(schemaText, (text) => {
    clearTimeout(pause);
    if (text === mockedText) {
      // it is mocked already; what has begun for another text is not shown
      next?.close();
      next = undefined;
      isStarting.value = false;
      problems.value = [];
    }
    isWaiting.value = text !== mockedText && text.length > MAX_LIVE_CHARACTERS;
    if (text !== mockedText && !isWaiting.value) pause = setTimeout(() => startWith({}), PAUSE_MS);
  }, { flush: "sync" });

  async function runResolvers(): Promise<void> {
    resolverProblem.value = undefined;
    await startWith(share().tables, resolverText.value);
    const [problem] = problems.value;
    if (problem !== undefined) {
      resolverProblem.value = { message: problem.message, line: undefined };
      problems.value = [];
    }
  }
  function share(): SharedState {
    return {
      schema: schemaText.value,
      operation: operation.value,
      tables: changedTables(generated, tables.value),
      resolvers: resolverText.value,
    };
  }
  function clearRequests(): void {
    client?.clear();
    requests.value = [];
  }
  async function open(state: SharedState): Promise<void> {
    latestSample = undefined;
    runningText.value = "";
    resolverProblem.value = undefined;
    schemaText.value = state.schema;
    operation.value = state.operation;
    firstOperation.value = state.operation;
    resolverText.value = state.resolvers;
    clearRequests();
    await startWith(state.tables);
  }

  return {
    ...{ schemaText, operation, firstOperation, problems, isWaiting, isStarting, clientSchema },
    ...{ tables, requests, latency, failure, resolverText, resolverProblem, runningText },
    ...{ share, runResolvers, open, clearRequests },
    sampleName: computed(() => opened.value?.schema === schemaText.value ? opened.value.name : ""),
    start: () => startWith({}),
    async openSample(sample) {
      latestSample = sample;
      try {
        const schema = await loadSchema(sample);
        if (latestSample !== sample) return;
        opened.value = { name: sample.name, schema };
        await open({ schema, operation: sample.operation, tables: {}, resolvers: "" });
      } catch (error) {
        problems.value = [{ message: String(error), line: undefined, column: undefined }];
      }
    },
    async stopResolvers() {
      resolverProblem.value = undefined;
      await startWith(share().tables, "");
    },
    edit: async (edit) => await client?.edit(edit) ?? undefined,
    resetRecords: () => startWith({}),
    send(sent) {
      if (client !== undefined) return client.send(sent);
      return Promise.reject(new Error("Cannot send: there is no schema yet"));
    },
  };
}
