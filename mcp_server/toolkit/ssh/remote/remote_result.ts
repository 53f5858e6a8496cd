import { constants } from "node:os";
import type { ExecutionResult } from "../../../tool/command.ts";
import type { RemoteChannel, RemoteOutput } from "./remote_output.ts";
import type { Hop } from "../route.ts";
import { SshError, wordsOfHost } from "../ssh_error.ts";
import type { Stopped } from "./stop_remote.ts";

/** The result of a command on another host. */
export type RemoteResult = ExecutionResult & {
  /** Whether its processes are gone; only if it was stopped or its connection was lost. */
  stopped?: Stopped;
};

/** A result, and why it is incomplete if the host failed. */
export interface RemoteRun {
  readonly result: RemoteResult;
  readonly fault?: SshError;
}

/** The exit code of a command that could not be run to its end, the same as OpenSSH's. */
const FAILED = 255;

/** The result of a command that never ran; the error of its host says why. */
export const NOT_RUN: RemoteResult = Object.freeze({
  stdout: "",
  stderr: "",
  exitCode: FAILED,
  timedOut: false,
});

/** The result of a command that ended by itself. */
export function toEndedRun(
  { exit }: RemoteChannel,
  output: RemoteOutput,
  { hop, backgroundEnded }: { hop: Hop; backgroundEnded: number },
): RemoteRun {
  if (output.marked.group === undefined) return refused(exit, hop, output);
  const { code, signal } = exit;
  if (code === undefined && signal === undefined) {
    return toFailedRun("it closed the channel without an exit status", output, {
      hop,
      started: true,
    });
  }
  return {
    result: {
      ...toResult(output, code ?? codeOf(signal ?? "")),
      ...(signal === undefined ? {} : { signal }),
      ...(backgroundEnded === 0 ? {} : { backgroundEnded }),
    },
  };
}

/** The result of a command that its time-out stopped. */
export function toStoppedRun(
  { code, signal }: RemoteChannel["exit"],
  output: RemoteOutput,
  stopped: Stopped,
): RemoteRun {
  const exitCode = code ?? codeOf(signal ?? "SIGTERM");
  const ended = signal === undefined ? {} : { signal };
  return { result: { ...toResult(output, exitCode), timedOut: true, ...ended, stopped } };
}

/** The result of a command whose connection was lost. */
export function toLostRun(
  reason: string,
  output: RemoteOutput,
  { hop, started }: { hop: Hop; started: boolean },
): RemoteRun {
  return toFailedRun(`the connection was lost while a command ran (${reason})`, output, {
    hop,
    started,
  });
}

function toFailedRun(
  state: string,
  output: RemoteOutput,
  { hop, started }: { hop: Hop; started: boolean },
): RemoteRun {
  const message = `Cannot get the result from "${hop.alias}": ${state}`;
  const stopped = started ? { stopped: "unknown" as const } : {};
  return {
    result: { ...toResult(output, FAILED), ...stopped },
    fault: new SshError(message, "exec"),
  };
}

/** The login shell ended before it ran anything: `nologin`, a forced command, a restricted shell. */
function refused(
  { code, signal }: RemoteChannel["exit"],
  hop: Hop,
  output: RemoteOutput,
): RemoteRun {
  const said = [output.marked.banner, output.stderr.text()].map(wordsOfHost)
    .filter((text) => text !== "");
  const text = said.length === 0 ? "it printed nothing" : `it printed: ${said.join("\n")}`;
  const message = `Cannot run commands on "${hop.alias}" as "${hop.user}": the login shell ended ` +
    `with ${code ?? signal ?? "no exit code"} and ran none; ${text}`;
  return { result: NOT_RUN, fault: new SshError(message, "exec") };
}

function toResult(output: RemoteOutput, exitCode: number): RemoteResult {
  const { stdout, stderr, truncated } = output.fit();
  return {
    stdout,
    stderr,
    exitCode,
    timedOut: false,
    ...(truncated ? { truncated } : {}),
  };
}

const SIGNALS: Readonly<Record<string, number>> = constants.signals;

/** 128 + the signal's number, as shells report it. */
function codeOf(signal: string): number {
  return 128 + (Object.hasOwn(SIGNALS, signal) ? SIGNALS[signal] ?? 0 : 0);
}
