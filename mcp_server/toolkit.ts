/**
 * All that a tool module needs: its type, `z` for schemas, `buildResponse()` for answers and
 * `runCommand()` for commands that stop when the call stops.
 *
 * @example A tool that counts the lines of a file
 * ```ts
 * import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";
 *
 * export default (({ mcpServer, toolName }) => {
 *   mcpServer.tool(toolName, "Count the lines of one file.", {
 *     path: z.string().describe("Absolute path of the file"),
 *   }, async ({ path }, extra) => {
 *     const text = await Deno.readTextFile(path, { signal: extra.signal });
 *     return buildResponse({ lines: text.split("\n").length });
 *   });
 * }) satisfies ToolModule;
 * ```
 *
 * @module
 */

export * as z from "zod";
export type { CallEnding, EndingKind } from "./tool/call_ending.ts";
export type { Caller, Rights } from "./access/caller.ts";
export type {
  CommandRunner,
  CommandSpec,
  ExecutionResult,
  HeldFolder,
  OutputEvent,
  RunOptions,
} from "./tool/command.ts";
export { BusyError, JsonRpcError, NotAllowedError, ToolError } from "./shared/error.ts";
export {
  type Job,
  JOB_START,
  JOB_STATES,
  type JobEvent,
  type JobFailure,
  type JobState,
  type OutputGap,
  type OutputRange,
  type WatchCursor,
} from "./tool/job.ts";
export { JobError, type JobErrorCode, type JobErrorOptions } from "./tool/job_error.ts";
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
export type { JsonObject, JsonValue } from "./shared/json.ts";
export { jsonTextLength } from "./shared/json.ts";
export type { Limits } from "./shared/limits.ts";
export type { Log } from "./shared/log.ts";
export type { ToolContext, ToolModule } from "./tool/module.ts";
export type { Answer, ToolConfig, ToolFunction, ToolRegistrar } from "./tool/registrar.ts";
export type { Ask, Question, Reply } from "./tool/question.ts";
export {
  buildResponse,
  type Content,
  type ContentAnnotations,
  type EmbeddedContents,
  type ToolResult,
} from "./tool/result.ts";
export type { RunAsUser } from "./access/run_as.ts";
export { ResultBudget } from "./tool/result.ts";
export type {
  OutputOf,
  SchemaLike,
  Shape,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./tool/schema.ts";
export type { CallNotification, OutputStream, ProgressUpdate } from "./tool/call_messages.ts";
export type { ToolAnnotations, ToolExecution, ToolExtra } from "./tool/tool.ts";
export { ensureFolders, type FolderUse } from "./toolkit/bound_folder.ts";
export { expandHome } from "./toolkit/expand_home.ts";
export {
  exactText,
  EXECUTION_RESULT,
  type ExecutionShape,
  filledText,
  pathText,
  plainText,
  runLimits,
  wholeNumber,
  type Wish,
} from "./toolkit/execution_schema.ts";
export { type LookupOptions, resolveAccount } from "./toolkit/files/account.ts";
export { type Encoding, parseFileContent } from "./toolkit/files/file_content.ts";
export { FILE_MODE, type ModeChange, parseFileMode } from "./toolkit/files/file_mode.ts";
export { type FilePart, readFilePart, type ReadOptions } from "./toolkit/files/read_file_part.ts";
export { textOfPart } from "./toolkit/files/read_file_part.ts";
export { type WriteOptions, writeWholeFile } from "./toolkit/files/write_whole_file.ts";
export type { Position } from "./toolkit/jobs/find_in_output.ts";
export { awaitJob, type JobEndWait } from "./toolkit/jobs/await_job.ts";
export {
  type AnswerParts,
  JOB,
  type JobShape,
  jobTextLimit,
  jobWaitArguments,
  type JobWaitShape,
  WAITED_JOB,
  type WaitedJobShape,
} from "./toolkit/jobs/job_schema.ts";
export { type JobText, type JobTextRequest, readJobText } from "./toolkit/jobs/job_text.ts";
export {
  ensureWritten,
  type JobOutputWait,
  type WaitedJob,
  waitForJob,
} from "./toolkit/jobs/wait_for_job.ts";
export type { FoundLine } from "./toolkit/jobs/line_search.ts";
export {
  type JobMatches,
  type JobSearchRequest,
  searchJobOutput,
} from "./toolkit/jobs/search_job_output.ts";
export { type CommandOptions, runCommand } from "./toolkit/run_command.ts";
export { type Interpreter, registerScriptTool, type ScriptTool } from "./toolkit/script_tool.ts";
export { runShellCommand } from "./toolkit/run_command.ts";
export type { SqlBatch, SqlBatchResult } from "./toolkit/sql/run_batch.ts";
export type { SqlResult } from "./toolkit/sql/run_queries.ts";
export {
  createSqlService,
  type SqlCallOptions,
  type SqlService,
} from "./toolkit/sql/sql_service.ts";
export type { QueryError, QueryNotice } from "./toolkit/sql/sql_session.ts";
export type { HostCommands, HostResult } from "./toolkit/ssh/run_on_hosts.ts";
export type { RemoteResult } from "./toolkit/ssh/remote_output.ts";
export type { SshPhase } from "./toolkit/ssh/ssh2.ts";
export { createSshRunner, type SshOptions, type SshRunner } from "./toolkit/ssh/ssh_runner.ts";
export {
  type AnyObject,
  HOST_RESULT,
  type HostShape,
  hostText,
  userText,
} from "./toolkit/ssh/ssh_runner.ts";
export type { Stopped } from "./toolkit/ssh/stop_remote.ts";
