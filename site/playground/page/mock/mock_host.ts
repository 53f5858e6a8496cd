import type { IntrospectionQuery } from "graphql";
import { explainRequest } from "./explain_request.ts";
import { createRecordEditor, readTables, type TableRecord, type Tables } from "./records.ts";
import {
  createLoggingClient,
  type LoggedRequest,
  type SentOperation,
  type SwitchedFailure,
} from "./request_log.ts";
import { type Problem, problemsOf } from "./schema_source.ts";
import { type StartedMock, startMock } from "./start_mock.ts";
import { type CodeProblem, evaluateResolvers, lineInStack } from "./user_resolvers.ts";

/** What a mock is started from; all of it can be sent to a worker. */
export interface HostInput {
  /** The schema, in the schema definition language or as the JSON of an introspection. */
  readonly schemaText: string;
  /** Tables that replace the generated ones. */
  readonly tables: Tables;
  /** The text of a module with resolvers; empty for none. */
  readonly resolverText: string;
  readonly settings: HostSettings;
}

/** What requests meet. */
export interface HostSettings {
  /** Milliseconds that each response takes. */
  readonly latency: number;
  readonly failure: SwitchedFailure | undefined;
}

/** How the start of a mock ends. */
export type HostStart =
  | {
    readonly kind: "started";
    /** What clients see as the schema. */
    readonly introspection: IntrospectionQuery;
    /** The records that were generated, before `tables` replaced some. */
    readonly generated: Tables;
    readonly tables: Tables;
  }
  | { readonly kind: "schema"; readonly problems: readonly Problem[] }
  | {
    readonly kind: "resolvers";
    readonly problem: CodeProblem;
    readonly isSyntax: boolean;
  };

/** What has changed since the last report. */
export interface HostReport {
  readonly requests: readonly LoggedRequest[];
  readonly tables: Tables;
  /** Where a resolver has failed; `undefined` if none has. */
  readonly resolverProblem: CodeProblem | undefined;
  /** Whether the failure of the next request has been used. */
  readonly hasFailed: boolean;
  /** Whether the requests, also of mocks before this one, have been forgotten. */
  readonly isCleared: boolean;
}

/** A change of one record. */
export type RecordEdit =
  | { readonly kind: "add"; readonly table: string }
  | { readonly kind: "remove"; readonly table: string; readonly id: string }
  | {
    readonly kind: "change";
    readonly table: string;
    readonly id: string;
    readonly values: TableRecord;
  };

/**
 * One mock and what is done with it, on the worker's side: parameters and results are plain data, and
 * functions that are called.
 */
export class MockHost {
  #started: StartedMock | undefined;
  #settings: HostSettings = { latency: 0, failure: undefined };
  #resolverUrl: string | undefined;
  #isCleared = false;
  #requests: readonly LoggedRequest[] = [];
  #report: (report: HostReport) => void = () => {};
  readonly #streams = new Map<number, AsyncIterator<object>>();
  readonly #client = createLoggingClient({
    failure: () => this.#settings.failure,
    onFailed: () => {
      this.#settings = { ...this.#settings, failure: undefined };
      this.#change(true);
    },
    onChange: (requests) => {
      this.#requests = requests;
      this.#change();
    },
    explain: async (mock, sent) => {
      const errors = mock.operations.at(-1)?.errors ?? [];
      return await explainRequest(mock, sent, errors);
    },
  });

  /** Starts the mock, once. `report` is called whenever something has changed. */
  async start(
    input: HostInput,
    report: (report: HostReport) => void,
  ): Promise<HostStart> {
    const { schemaText, tables, resolverText, settings } = input;
    this.#report = report;
    this.#settings = settings;
    const evaluated = resolverText === "" ? undefined : await evaluateResolvers(resolverText);
    if (evaluated !== undefined && "problem" in evaluated) {
      return { kind: "resolvers", ...evaluated };
    }
    this.#resolverUrl = evaluated?.url;
    try {
      const started = await startMock({
        ...{ schemaText, tables, resolvers: evaluated?.resolvers },
        latency: () => this.#settings.latency,
      });
      this.#started = started;
      const { introspection, generated } = started;
      return {
        kind: "started",
        introspection,
        generated,
        tables: this.#tables(),
      };
    } catch (error) {
      return { kind: "schema", problems: problemsOf(error, schemaText) };
    }
  }

  /** Sets what the next requests meet. */
  set(settings: HostSettings): void {
    this.#settings = settings;
  }

  /** Answers a query or a mutation. */
  async send(sent: SentOperation): Promise<object> {
    return await this.#client.post(this.#mock, sent);
  }

  /** Passes on the events of a subscription until it ends, or `unsubscribe()` ends it. */
  async subscribe(
    id: number,
    sent: SentOperation,
    next: (event: object) => void,
  ): Promise<void> {
    const stream = this.#client.subscribe(this.#mock, sent);
    this.#streams.set(id, stream);
    try {
      for (;;) {
        const result = await stream.next();
        if (result.done) return;
        next(result.value);
      }
    } finally {
      this.#streams.delete(id);
    }
  }

  /** Ends a subscription. */
  async unsubscribe(id: number): Promise<void> {
    await this.#streams.get(id)?.return?.();
  }

  /** Changes a record, and returns why that is refused, if it is. */
  edit(edit: RecordEdit): string | undefined {
    if (this.#started === undefined) {
      return "Cannot edit: there is no schema yet";
    }
    const editor = createRecordEditor(
      this.#started.mock,
      this.#started.generate,
    );
    try {
      if (edit.kind === "add") editor.add(edit.table);
      else if (edit.kind === "remove") editor.remove(edit.table, edit.id);
      else editor.change(edit.table, edit.id, edit.values);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      this.#change();
    }
  }

  /** Forgets the requests. */
  clear(): void {
    this.#isCleared = true;
    this.#client.clear();
  }

  get #mock() {
    if (this.#started !== undefined) return this.#started.mock;
    throw new Error("Cannot send: there is no schema yet");
  }

  #tables(): Tables {
    const { mock, generated } = this.#started ?? {};
    return mock && generated ? readTables(mock, Object.keys(generated)) : {};
  }

  #change(hasFailed = false): void {
    const [error] = this.#started?.mock.operations.at(-1)?.errors ?? [];
    const line = this.#resolverUrl &&
      lineInStack(error?.originalError, this.#resolverUrl);
    this.#report({
      ...{ requests: this.#requests, tables: this.#tables(), hasFailed },
      isCleared: this.#isCleared,
      resolverProblem: line ? { message: error?.message ?? "", line } : undefined,
    });
  }
}
