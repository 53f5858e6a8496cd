/** How far a connection came before it failed. */
export type SshPhase = "resolve" | "connect" | "handshake" | "host-key" | "auth" | "exec";

/** Why nothing could be run on a host; the message is for the caller and contains no secret. */
export class SshError extends Error {
  /** Name of the error class. */
  override readonly name: string = "SshError";
  /** How far the connection came. */
  readonly phase: SshPhase;
  /** The connection was lost before the command was sent, so another one may be tried. */
  readonly notStarted: boolean;

  /** Takes the message for the caller, and the phase. */
  constructor(message: string, phase: SshPhase, options: { notStarted?: boolean } = {}) {
    super(message);
    this.phase = phase;
    this.notStarted = options.notStarted ?? false;
  }
}

/** How much of a host's text one message repeats, in characters. */
const MOST_WORDS = 2_000;

/**
 * Returns the last part of a host's text, for a message: a host may send any text, and a call
 * may have many hosts.
 */
export function wordsOfHost(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what it removes
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, "").slice(-MOST_WORDS).trim();
}
