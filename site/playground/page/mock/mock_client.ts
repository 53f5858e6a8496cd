import { proxy, type Remote, wrap } from "comlink";
import type {
  HostInput,
  HostReport,
  HostSettings,
  HostStart,
  MockHost,
  RecordEdit,
} from "./mock_host.ts";
import { selectedOperation, type SentOperation } from "./request_log.ts";

/** Starts a worker that has a {@linkcode MockHost}. */
export type CreateWorker = () => Worker;

/** A mock in a worker of its own, so that a large schema and a slow resolver leave the page free. */
export class MockClient {
  readonly #worker: Worker;
  readonly #host: Remote<MockHost>;
  readonly #broken: Promise<never>;
  readonly #break: (reason: Error) => void;
  #streams = 0;

  /** @param createWorker Starts the worker, which `close()` ends. */
  constructor(createWorker: CreateWorker) {
    this.#worker = createWorker();
    this.#host = wrap<MockHost>(this.#worker);
    const { promise, reject } = Promise.withResolvers<never>();
    this.#broken = promise;
    this.#break = reject;
    // it is awaited only while something waits for the worker
    promise.catch(() => {});
    this.#worker.addEventListener("error", ({ message }) => {
      reject(
        new Error(
          `Cannot run the mock: ${message || "its file can't be loaded"}`,
        ),
      );
    });
  }

  /** Starts the mock; rejects if the worker can't run, or is closed. */
  async start(
    input: HostInput,
    report: (report: HostReport) => void,
  ): Promise<HostStart> {
    return await Promise.race([
      this.#host.start(input, proxy(report)),
      this.#broken,
    ]);
  }

  /** Sets what the next requests meet. */
  set(settings: HostSettings): void {
    this.#wait(this.#host.set(settings)).catch(() => {});
  }

  /** Changes a record, and resolves with why that is refused, if it is. */
  edit(edit: RecordEdit): Promise<string | undefined> {
    return this.#wait(this.#host.edit(edit));
  }

  /** Forgets the requests. */
  clear(): void {
    this.#wait(this.#host.clear()).catch(() => {});
  }

  /** Answers an operation: with a result, or with many for a subscription. */
  send(sent: SentOperation): Promise<object> | AsyncIterable<object> {
    // what GraphiQL adds may be functions, which no worker takes
    const { query, operationName, variables } = sent;
    const plain = {
      query,
      operationName: operationName ?? null,
      variables: variables ?? null,
    };
    return selectedOperation(sent)?.operation === "subscription"
      ? this.#subscribe(plain)
      : this.#wait(this.#host.send(plain));
  }

  /** Ends the worker, and what waits for it. */
  close(): void {
    this.#break(new Error("Cannot answer: the mock has been replaced"));
    this.#worker.terminate();
  }

  async *#subscribe(sent: SentOperation): AsyncGenerator<object> {
    const id = ++this.#streams;
    const events = new ReadableStream<object>({
      start: (controller) => {
        const next = proxy((event: object) => controller.enqueue(event));
        this.#wait(this.#host.subscribe(id, sent, next)).then(
          () => controller.close(),
          (error) => controller.error(error),
        );
      },
    });
    const reader = events.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      this.#wait(this.#host.unsubscribe(id)).catch(() => {});
    }
  }

  #wait<Value>(answer: Promise<Value>): Promise<Value> {
    return Promise.race([answer, this.#broken]);
  }
}
