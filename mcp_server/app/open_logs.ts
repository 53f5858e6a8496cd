import { type Config, ConfigError } from "../settings/config.ts";
import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import { createLog, createRedactor, type Log, secretsOf, stderrSink } from "../shared/log.ts";
import { AuditLog } from "../calls/audit.ts";
import { RememberedCalls } from "../calls/call_history.ts";
import { toAuditedArguments } from "../calls/shown_call.ts";
import { AuditFile, type AuditFileOptions } from "../calls/audit_file.ts";
import type { CallerSecrets } from "../access/caller_secrets.ts";

/** How long writing the last lines may take; perhaps nobody reads them. */
const FLUSH_MS = 500;

/** After this time a step of the start is reported, and again after twice, four times it and so on. */
const LATE_MS = 10_000;

/** The most bytes of arguments in a line of the audit. */
const MOST_ARGS = 8 * 1024;

/** What a server writes about itself and about calls. */
export interface Logs {
  readonly log: Log;
  /** Creates the log of one tool. */
  readonly createToolLog: (tool: string) => Log;
  readonly audit: AuditLog;
  /** The calls whose ends the audit has recorded. */
  readonly history: RememberedCalls;
  /** Masks further secrets in all that is logged from now on: those that there are at each moment. */
  readonly maskSecrets: (secrets: () => CallerSecrets | undefined) => void;
  /** Redacts the server's secrets in a text. */
  readonly redact: (text: string) => string;
  /** The same for `JSON.stringify()`; also redacts the values of keys that name a secret. */
  readonly redactValue: (key: string, value: unknown) => unknown;
  readonly reopenAudit: () => Promise<void>;
  /** Writes the last lines, and closes the audit file. */
  readonly close: (message?: string) => Promise<void>;
}

/** Opens the log on stderr and the audit. Rejects with a `ConfigError` if its file can't be used. */
export async function openLogs(config: Config): Promise<Logs> {
  let secrets: () => CallerSecrets | undefined = () => undefined;
  const mask = (text: string) => secrets()?.mask?.text(text) ?? text;
  const redactor = createRedactor(secretsOf(config.env), mask);
  const stderr = stderrSink();
  const options = {
    level: config.logLevel,
    replacer: redactor.replacer,
    write: (line: string) => stderr.write(line),
  };
  const log = createLog(options);
  const { auditFile = "stderr" } = config;
  const opening = () => openAudit(config.auditFile, { log, fallback: stderr });
  const file = await reportLate(`the audit (${auditFile})`, log, opening);
  const audit = file ?? stderr;
  const history = new RememberedCalls();
  return {
    log,
    createToolLog: (tool) => createLog(options, { tool }),
    audit: new AuditLog(audit, {
      showArguments: config.auditArgs
        ? (args) => toAuditedArguments(args, MOST_ARGS, redactor.replacer)
        : undefined,
      onEnded: (call) => history.add(call),
    }),
    history,
    maskSecrets: (all) => void (secrets = all),
    redact: redactor.text,
    redactValue: redactor.replacer,
    reopenAudit: async () => await file?.reopen(),
    close: async (message) => {
      await file?.close(FLUSH_MS);
      if (message !== undefined) log.info(message);
      await within(Promise.resolve(stderr.flush()), FLUSH_MS);
    },
  };
}

async function openAudit(
  file: string | undefined,
  options: AuditFileOptions,
): Promise<AuditFile | undefined> {
  if (file === undefined) return undefined;
  try {
    return await AuditFile.open(file, options);
  } catch (cause) {
    throw new ConfigError(`Cannot use MCP_AUDIT_FILE "${file}": ${messageOf(cause)}`, { cause });
  }
}

/**
 * Takes a step of the start. One that takes long is reported again and again, so that whoever looks at
 * a start that hangs finds in the log what it waits for.
 */
export async function reportLate<T>(
  what: string,
  log: Log,
  work: () => Promise<T>,
  lateMs = LATE_MS,
): Promise<T> {
  const since = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reportAfter = (ms: number) => {
    timer = setTimeout(() => {
      const seconds = Math.round((performance.now() - since) / 1_000);
      log.warn("the server still starts", { loading: what, seconds });
      reportAfter(2 * ms);
    }, ms);
  };
  reportAfter(lateMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
