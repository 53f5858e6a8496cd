import { type Config, ConfigError } from "../settings/config.ts";
import { within } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import { createLog, type Log } from "../shared/log.ts";
import { AuditLog } from "../calls/audit.ts";
import { AuditFile, type AuditFileOptions } from "../calls/audit_file.ts";
import { stderrSink } from "../shared/line_sink.ts";
import { createRedactor, secretsOf } from "../access/redact.ts";

/** How long writing the last lines may take; perhaps nobody reads them. */
const FLUSH_MS = 500;

/** What a server writes about itself and about calls. */
export interface Logs {
  readonly log: Log;
  /** Creates the log of one tool. */
  readonly createToolLog: (tool: string) => Log;
  readonly audit: AuditLog;
  /** Redacts the server's secrets in a text. */
  readonly redact: (text: string) => string;
  readonly reopenAudit: () => Promise<void>;
  /** Writes the last lines, and closes the audit file. */
  readonly close: (message?: string) => Promise<void>;
}

/** Opens the log on stderr and the audit. Rejects with a `ConfigError` if its file can't be used. */
export async function openLogs(config: Config): Promise<Logs> {
  const redactor = createRedactor(secretsOf(config.env));
  const stderr = stderrSink();
  const options = {
    level: config.logLevel,
    replacer: redactor.replacer,
    write: (line: string) => stderr.write(line),
  };
  const log = createLog(options);
  const file = await openAudit(config.auditFile, { log, fallback: stderr });
  const audit = file ?? stderr;
  return {
    log,
    createToolLog: (tool) => createLog(options, { tool }),
    audit: new AuditLog(audit),
    redact: redactor.text,
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
