import type { CommandRunner, OutputEvent } from "../domain/command.ts";
import type { CallOptions } from "../domain/service.ts";
import type { CallNotification, ProgressUpdate, ToolExtra } from "../domain/tool.ts";

/** What a running tool knows about its call; a class, because one is created for every call. */
export class CallExtra implements ToolExtra, Disposable {
  readonly requestId: string | number;
  readonly #call: { readonly signal: AbortSignal };
  readonly #options: CallOptions;
  readonly #createRunner: () => CommandRunner & Disposable;
  #runner: (CommandRunner & Disposable) | undefined;

  /** Takes the call that may be stopped, its caller's listeners, and the factory of its runner. */
  constructor(
    call: { readonly signal: AbortSignal },
    options: CallOptions,
    createRunner: () => CommandRunner & Disposable,
  ) {
    this.#call = call;
    this.#options = options;
    this.#createRunner = createRunner;
    this.requestId = options.requestId ?? 0;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get commands(): CommandRunner {
    return this.#runner ??= this.#createRunner();
  }

  get _meta(): Readonly<Record<string, unknown>> | undefined {
    return this.#options.meta;
  }

  progress(update: ProgressUpdate): void {
    this.#options.onProgress?.(update);
  }

  output(event: OutputEvent): void {
    this.#options.onOutput?.(event);
  }

  async sendNotification(notification: CallNotification): Promise<void> {
    await this.#options.onNotification?.(notification);
  }

  /** Releases the call's resources; the tool has ended. */
  [Symbol.dispose](): void {
    this.#runner?.[Symbol.dispose]();
  }
}
