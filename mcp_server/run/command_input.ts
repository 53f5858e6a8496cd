/** How much input may wait to be read. */
const MOST_WAITING = 1024 * 1024;

/**
 * The result of a write: `full` if too much waits to be read, `closed` if nothing reads anymore.
 */
export type InputVerdict = "accepted" | "full" | "closed";

/**
 * The input of a command that others write while it runs. One command reads it; what is written
 * earlier waits until that command starts.
 */
export class CommandInput {
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #state: "open" | "ended" | "closed" = "open";
  #changed = Promise.withResolvers<void>();

  /** Accepts a copy of the bytes, all or none. */
  write(bytes: Uint8Array): InputVerdict {
    if (this.#state !== "open") return "closed";
    if (this.#bytes > 0 && this.#bytes + bytes.length > MOST_WAITING) return "full";
    this.#waiting.push(bytes.slice());
    this.#bytes += bytes.length;
    this.#changed.resolve();
    return "accepted";
  }

  /** Closes the command's input once it has read what was written. */
  end(): InputVerdict {
    if (this.#state !== "open") return "closed";
    this.#state = "ended";
    this.#changed.resolve();
    return "accepted";
  }

  /** Discards waiting input, and accepts no more, because the command has ended. */
  close(): void {
    this.#state = "closed";
    this.#waiting.length = 0;
    this.#changed.resolve();
  }

  /** Writes everything to a command, up to the end of the input or of the command. */
  async feed(writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
    while (this.#state !== "closed") {
      const bytes = this.#waiting.shift();
      if (bytes !== undefined) {
        await writer.write(bytes);
        this.#bytes -= bytes.length;
      } else if (this.#state === "ended") {
        return await writer.close();
      } else {
        await this.#changed.promise;
        this.#changed = Promise.withResolvers();
      }
    }
  }
}
