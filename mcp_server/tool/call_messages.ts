import type { JsonObject } from "../shared/json.ts";

/** A step of a long call, as the MCP specification's progress notification. */
export interface ProgressUpdate {
  /** The progress so far; it must increase. @default {one more than before} */
  readonly progress?: number;
  /** The progress at the end of the call, if known. */
  readonly total?: number;
  /** What the call is doing, for people. */
  readonly message?: string;
}

/** A message to the client about a call. */
export interface CallNotification {
  /** Method of the notification. */
  readonly method: string;
  /** Its parameters. */
  readonly params?: JsonObject;
}

/** A stream to which a command writes. */
export type OutputStream = "stdout" | "stderr";
