/**
 * Trestle's tool server, for programs that embed it: read a config, create the app, and call its
 * tools or open a transport.
 *
 * @example Call a tool of a folder without any transport
 * ```ts
 * import { createApp, DEFAULT_CALLER, parseConfig } from "@trestle/mcp-server";
 *
 * const config = parseConfig([], { PATH: Deno.env.get("PATH") ?? "" }, 2);
 * const app = await createApp(config);
 * const client = { signal: AbortSignal.timeout(10_000) };
 * const outcome = await app.service.call("bash-script", { script: "echo hello" }, {
 *   transport: "embedded",
 *   client,
 *   caller: DEFAULT_CALLER,
 * });
 * if (outcome.ok) console.log(outcome.result.structuredContent?.stdout); // "hello\n"
 * await app.close();
 * ```
 *
 * @module
 */

export {
  type App,
  type AppOptions,
  createApp,
  type LoadReport,
  type ReloadReport,
  type ReloadTools,
} from "./app.ts";
export type { CallerDirectory, Holder, TokenHolders } from "./callers/caller_table.ts";
export { type Config, ConfigError, type Env, type OAuthSettings, parseConfig } from "./config.ts";
export type { EndedCall, Meter, MetricsText } from "./domain/meter.ts";
export type { CallEnding, EndingKind } from "./domain/call_ending.ts";
export type {
  MessageAnswer,
  MessageSpan,
  StartMessageSpan,
  TracedMessage,
} from "./domain/call_span.ts";
export type { OutputEvent } from "./domain/command.ts";
export type { CommandLimits, ContainmentMode, ContainmentState } from "./domain/containment.ts";
export {
  type Job,
  JOB_START,
  type JobEvent,
  type JobFailure,
  type JobState,
  type OutputGap,
  type OutputRange,
  type WatchCursor,
} from "./domain/job.ts";
export type { FleetServer, ServerState } from "./domain/fleet.ts";
export { JobError, type JobErrorCode, type JobErrorOptions } from "./domain/job_error.ts";
export type { CallerJobs, JobHost, KeepableCall, KeepableOptions } from "./domain/job_host.ts";
export type {
  JobPage,
  JobQuery,
  JobRequest,
  JobService,
  JobStartOptions,
  JobWait,
  JobWatch,
  OutputPart,
  OutputRequest,
  StartedJob,
} from "./domain/job_service.ts";
export { type Caller, DEFAULT_CALLER, type Rights } from "./domain/caller.ts";
export type { JsonObject, JsonValue } from "./domain/json.ts";
export type { LiveCall, LiveCallList, LiveCalls, Stopper } from "./domain/live_calls.ts";
export type { Limits } from "./domain/limits.ts";
export type { AskUser, OpenQuestion, Reply } from "./domain/question.ts";
export type { Log, LogLevel } from "./domain/log.ts";
export type { Content, ContentAnnotations, EmbeddedContents, ToolResult } from "./domain/result.ts";
export type {
  CallOptions,
  CallOutcome,
  Refusal,
  RefusalCode,
  ToolService,
  Transport,
} from "./domain/service.ts";
export type { CallNotification, OutputStream, ProgressUpdate } from "./domain/call_messages.ts";
export type { Issue, ToolAnnotations, ToolDefinition } from "./domain/tool.ts";
export { type OpenTransport, serveHttp, serveStdio, type StdioServeOptions } from "./serve.ts";
