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
export type { CallerDirectory, Holder, TokenHolders } from "./access/watched_callers.ts";
export { type Config, ConfigError, type Env, type OAuthSettings } from "./settings/config.ts";
export { parseConfig } from "./settings/parse_config.ts";
export type { CommandEnd } from "./tool/command.ts";
export type { EndedCall, Meter, MetricsText } from "./tool/service.ts";
export type {
  MessageAnswer,
  MessageSpan,
  StartMessageSpan,
  TracedMessage,
} from "./tool/tracing.ts";
export type {
  CallHistory,
  EndedCallRecord,
  FigureSample,
  ServerFigures,
  ToolFigures,
} from "./tool/fleet_desk.ts";
export type {
  CallNotification,
  CallOutcome,
  Content,
  ContentAnnotations,
  EmbeddedContents,
  ProgressUpdate,
  Refusal,
  RefusalCode,
  ToolResult,
} from "./tool/result.ts";
export type { CallEnding, EndingKind } from "./tool/ending.ts";
export type {
  Approval,
  ApprovalDesk,
  Decider,
  Decision,
  DecisionVerdict,
  ShownArguments,
} from "./tool/fleet_desk.ts";
export type { OutputEvent, OutputStream } from "./tool/command.ts";
export type { CommandLimits, ContainmentMode, ContainmentState, Limits } from "./shared/limits.ts";
export {
  type Job,
  JOB_START,
  JobError,
  type JobErrorCode,
  type JobErrorOptions,
  type JobEvent,
  type JobFailure,
  type JobState,
  type OutputGap,
  type OutputRange,
  type WatchCursor,
} from "./tool/job.ts";
export type { Questions } from "./tool/questions.ts";
export type { ShownQuestion, ShownQuestions } from "./tool/job.ts";
export type { FleetServer, ServerState } from "./tool/job.ts";
export type {
  Figures,
  FleetApprovals,
  FleetCallList,
  FleetDecision,
  FleetDesk,
  FleetFigures,
  FleetHealth,
  FleetMetrics,
  FromServers,
  OnServer,
  ServerHealth,
  StopVerdict,
} from "./tool/fleet_desk.ts";
export type {
  AskingClient,
  CallerJobs,
  CallOptions,
  JobHost,
  KeepableCall,
  KeepableOptions,
  ToolService,
  Transport,
} from "./tool/service.ts";
export type { LiveCall, LiveCallList, LiveCalls, Stopper } from "./tool/fleet_desk.ts";
export type {
  CallJob,
  JobPage,
  JobQuery,
  JobRequest,
  JobService,
  JobStartOptions,
  JobWait,
  JobWatch,
  KeptJob,
  MergedEvent,
  MergedOutput,
  MergedRequest,
  OutputPart,
  OutputRequest,
  StartedJob,
} from "./tool/job_service.ts";
export { type Caller, DEFAULT_CALLER, type Rights, type Scope, SCOPES } from "./access/caller.ts";
export {
  type ResourceConfig,
  type ResourceContents,
  type ToolResource,
  UriTemplate,
} from "./tool/result.ts";
export type { JsonObject, JsonValue } from "./shared/json.ts";
export type { AskUser, OpenQuestion, Reply, ToolAnnotations, ToolDefinition } from "./tool/tool.ts";
export type { Log, LogLevel } from "./shared/log.ts";
export type { Issue } from "./tool/schema.ts";
export { type OpenTransport, serveHttp, serveStdio, type StdioServeOptions } from "./serve.ts";
