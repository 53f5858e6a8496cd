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
export {
  buildResponse,
  type CallNotification,
  type Content,
  type ContentAnnotations,
  type EmbeddedContents,
  type ProgressUpdate,
  type ToolResult,
} from "./tool/result.ts";
export { type CallEnding, type EndingKind } from "./tool/ending.ts";
export { ResultBudget } from "./tool/command_output.ts";
export type { Caller, Rights } from "./access/caller.ts";
export type { CallerSecrets } from "./access/caller_secrets.ts";
export type { MaskStream, SecretMask } from "./access/secret_mask.ts";
export type {
  CommandEnd,
  CommandRunner,
  CommandSpec,
  EndedCommand,
  ExecutionResult,
  HeldFolder,
  OutputEvent,
  OutputSoFar,
  OutputStream,
  RunOptions,
  TerminalSize,
} from "./tool/command.ts";
export {
  ArgumentsError,
  BusyError,
  JsonRpcError,
  messageOf,
  NotAllowedError,
  ToolError,
} from "./shared/error.ts";
export {
  isFinal,
  type Job,
  JOB_START,
  JOB_STATES,
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
export type { ShownQuestion, ShownQuestions } from "./tool/job.ts";
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
  OutputPart,
  OutputRequest,
  StartedJob,
} from "./tool/job_service.ts";
export {
  isJsonObject,
  type JsonObject,
  jsonTextLength,
  jsonTextStart,
  type JsonValue,
} from "./shared/json.ts";
export { type CharacterBounds, cutCharacter, withoutCutEnd } from "./shared/json.ts";
export { takeTurn } from "./shared/concurrency.ts";
export {
  type LinePattern,
  type LinePatternCompiler,
  type LinePatternOptions,
  loadLinePatterns,
} from "./shared/line_pattern.ts";
export { loadPackage } from "./shared/environment.ts";
export type { Limits } from "./shared/limits.ts";
export type { Log } from "./shared/log.ts";
export type {
  Answer,
  AnswerBounds,
  ToolConfig,
  ToolContext,
  ToolFunction,
  ToolModule,
  ToolRegistrar,
} from "./tool/tool.ts";
export type {
  Ask,
  Question,
  Reply,
  ToolAnnotations,
  ToolExecution,
  ToolExtra,
  ToolIcon,
} from "./tool/tool.ts";
export { withLink } from "./tool/result.ts";
export { type ResourceConfig, type ResourceContents, UriTemplate } from "./tool/result.ts";
export type { RunAsUser } from "./access/run_as.ts";
export type {
  OutputOf,
  SchemaLike,
  Shape,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./tool/schema.ts";
export { ensureFolders, type FolderUse } from "./files/bound_folder.ts";
export { expandHome } from "./files/file_error.ts";
export {
  type CommandKeys,
  commandKeys,
  type CommandKeysShape,
  exactText,
  EXECUTION_RESULT,
  type ExecutionShape,
  filledText,
  type NamesOfSecrets,
  namesOfSecrets,
  pathText,
  plainText,
  runLimits,
  timeoutChoice,
  type TimeoutChoiceShape,
  wholeNumber,
  type Wish,
} from "./toolkit/definition_parts.ts";
export {
  FILE_MODE,
  type LookupOptions,
  type ModeChange,
  parseFileMode,
  resolveAccount,
} from "./toolkit/files/file_attributes.ts";
export {
  appendToFile,
  editFile,
  type Encoding,
  listFiles,
  parseFileContent,
  readFileLines,
  readFilePart,
  searchFiles,
  textOfPart,
  writeWholeFile,
} from "./toolkit/file_functions.ts";
export type { EditedFile, EditOptions } from "./toolkit/files/edit_file.ts";
export type { FileLines, ReadLinesOptions } from "./toolkit/files/read_file_lines.ts";
export type {
  FolderOptions,
  FoundFiles,
  FoundLines,
  ListOptions,
  SearchOptions,
} from "./toolkit/files/search_files.ts";
export type { ListedFile } from "./files/walk/file_list.ts";
export type { LineMatch } from "./files/walk/file_search.ts";
export type { TextEdit } from "./toolkit/files/edit_file.ts";
export { unifiedDiff } from "./toolkit/files/unified_diff.ts";
export type { FilePart, ReadOptions } from "./toolkit/files/read_file_part.ts";
export type { WriteOptions } from "./toolkit/files/write_whole_file.ts";
export {
  goOnAsJob,
  type OutputBounds,
  outputBoundsOf,
  type RunningCommand,
  type ToJobAnswer,
  withJobOfRest,
  withTimeoutHint,
} from "./tool/command_output.ts";
export { type CommandOptions, runCommand, runShellCommand } from "./toolkit/run_command.ts";
export { lineIcon, TOOL_ICONS } from "./toolkit/definition_parts.ts";
export { type Interpreter, registerScriptTool, type ScriptTool } from "./toolkit/script_tool.ts";
export type { SqlBatch, SqlBatchResult, SqlResult, SqlRow } from "./toolkit/sql/run_batch.ts";
export {
  createSqlService,
  type SqlCallOptions,
  type SqlService,
} from "./toolkit/sql/sql_service.ts";
export {
  createSchemaReader,
  type SchemaAnswer,
  type SchemaCallOptions,
  type SchemaQuery,
  type SchemaReader,
} from "./toolkit/sql/schema/read_schema.ts";
export type {
  ColumnSchema,
  ForeignKeySchema,
  IndexSchema,
  SchemaDetail,
  TableSchema,
} from "./toolkit/sql/schema/schema_page.ts";
export {
  createDatabaseLister,
  type DatabaseLister,
  type UsableDatabase,
} from "./toolkit/sql/sql_service.ts";
export type { SqlContext } from "./toolkit/sql/databases.ts";
export type { QueryError, QueryNotice, RowsAs } from "./toolkit/sql/sql_session.ts";
export { createHostLister, createSshCopier, createSshRunner } from "./toolkit/ssh_functions.ts";
export type { HostLister, UsableHosts } from "./toolkit/ssh/list_hosts.ts";
export type { RemotePlace } from "./toolkit/ssh/exec_line.ts";
export type { RemoteResult, Stopped } from "./toolkit/ssh/remote_output.ts";
export type { SshPhase } from "./toolkit/ssh/ssh2.ts";
export {
  type AnyObject,
  HOST_RESULT,
  type HostShape,
  hostText,
  userText,
} from "./toolkit/ssh/host_schema.ts";
export type { HostCommands, HostResult, SshOptions, SshRunner } from "./toolkit/ssh/ssh_runner.ts";
export type { CopyRequest, HostCopy, SshCopier } from "./toolkit/ssh/ssh_copier.ts";
export type { HostError, HostLogin } from "./toolkit/ssh/ssh_service.ts";
