import type { Duplex } from "node:stream";

/** Bytes that may be queued for a peer that does not read. */
const MOST_UNREAD = 4 * 1024 * 1024;
/** Bytes that a peer may send in a row without any output of a command. */
const MOST_UNASKED = 1024 * 1024;
/**
 * Bytes that it may send in addition per millisecond, such as keep-alives, however long a command
 * runs.
 */
const BYTES_PER_MS = 1;
/** A packet of SSH (RFC 4253, section 6) that carries one byte takes up to 64. */
const BYTES_OF_PACKET = 64;

/**
 * Bounds what a peer can make this side keep or do: floods of requests, banners and key exchanges,
 * and answers that it does not read. Output of commands is not counted, because windows bound it.
 */
export class PeerTraffic {
  #left = MOST_UNASKED;
  #resting = false;
  #lastAt = performance.now();
  #excess: string | undefined;
  #listener: ((reason: string) => void) | undefined;

  /** Counts what arrives on a socket, which ssh2 has paused, because listening would start it. */
  watch(sock: Duplex): void {
    sock.on("data", (chunk: Uint8Array) => {
      const now = performance.now();
      this.#add((now - this.#lastAt) * BYTES_PER_MS);
      this.#lastAt = now;
      this.#left -= chunk.length;
      if (this.#left < 0) this.#exceed("it sends unrequested data without end");
      else if (sock.writableLength > MOST_UNREAD) this.#exceed("it does not read what it requests");
    });
  }

  /** Calls back once, with the reason, if the peer goes beyond the bounds. */
  onExcess(listener: (reason: string) => void): void {
    this.#listener = listener;
    if (this.#excess !== undefined) listener(this.#excess);
  }

  /** Counts output that was requested. */
  deliver(bytes: number): void {
    if (!this.#resting) this.#add(bytes * (BYTES_OF_PACKET + 1));
  }

  /** Starts counting again, with a new command. */
  restart(): void {
    this.#left = MOST_UNASKED;
    this.#resting = false;
  }

  /** No output is expected until the next command. */
  rest(): void {
    this.#resting = true;
  }

  #add(bytes: number): void {
    this.#left = Math.min(MOST_UNASKED, this.#left + bytes);
  }

  #exceed(reason: string): void {
    if (this.#excess !== undefined) return;
    this.#excess = reason;
    this.#listener?.(reason);
  }
}
