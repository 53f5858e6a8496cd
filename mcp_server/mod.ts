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
export type { CallerDirectory, Holder, TokenHolders } from "./access/caller_table.ts";
export { type Config, ConfigError, type Env, type OAuthSettings } from "./settings/config.ts";
export { parseConfig } from "./settings/parse_config.ts";
export type { EndedCall, Meter, MetricsText } from "./tool/meter.ts";
export type { CallEnding, EndingKind } from "./tool/call_ending.ts";
export type {
  MessageAnswer,
  MessageSpan,
  StartMessageSpan,
  TracedMessage,
} from "./tool/call_span.ts";
export type { OutputEvent } from "./tool/command.ts";
export type { CommandLimits, ContainmentMode, ContainmentState } from "./shared/containment.ts";
export {
  type Job,
  JOB_START,
  type JobEvent,
  type JobFailure,
  type JobState,
  type OutputGap,
  type OutputRange,
  type WatchCursor,
} from "./tool/job.ts";
export type { FleetServer, ServerState } from "./tool/fleet.ts";
export { JobError, type JobErrorCode, type JobErrorOptions } from "./tool/job_error.ts";
export type { CallerJobs, JobHost, KeepableCall, KeepableOptions } from "./tool/job_host.ts";
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
} from "./tool/job_service.ts";
export { type Caller, DEFAULT_CALLER, type Rights } from "./access/caller.ts";
export type { JsonObject, JsonValue } from "./shared/json.ts";
export type { LiveCall, LiveCallList, LiveCalls, Stopper } from "./tool/live_calls.ts";
export type { Limits } from "./shared/limits.ts";
export type { AskUser, OpenQuestion, Reply } from "./tool/question.ts";
export type { Log, LogLevel } from "./shared/log.ts";
export type { Content, ContentAnnotations, EmbeddedContents, ToolResult } from "./tool/result.ts";
export type {
  CallOptions,
  CallOutcome,
  Refusal,
  RefusalCode,
  ToolService,
  Transport,
} from "./tool/service.ts";
export type { CallNotification, OutputStream, ProgressUpdate } from "./tool/call_messages.ts";
export type { Issue, ToolAnnotations, ToolDefinition } from "./tool/tool.ts";
export { type OpenTransport, serveHttp, serveStdio, type StdioServeOptions } from "./serve.ts";
