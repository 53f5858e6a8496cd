import { arch, availableParallelism, hostname, release, type as kernel, userInfo } from "node:os";
import {
  buildResponse,
  BusyError,
  createDatabaseLister,
  createHostLister,
  type JsonObject,
  type JsonValue,
  type Limits,
  TOOL_ICONS,
  ToolError,
  type ToolExtra,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

/** Most bytes of an answer as JSON text. */
const MOST_BYTES = 2_048;
/** Most characters of a path. */
const MOST_PATH = 256;

const register: ToolModule = (context) => {
  const { mcpServer, toolName } = context;
  const listDatabases = createDatabaseLister(context);
  const listHosts = createHostLister(context);
  mcpServer.registerTool(toolName, {
    title: "Describe the server",
    icons: TOOL_ICONS.info,
    description:
      "What there is: working folder, user, system, programs, limits, and (access) the " +
      "databases, hosts, paths and job servers that you may use.",
    inputSchema: {},
    outputSchema: {
      cwd: z.string(),
      user: z.string(),
      system: z.looseObject({}),
      programs: z.looseObject({}),
      limits: z.looseObject({}),
      home: z.string().optional(),
      access: z.looseObject({}),
    },
    annotations: {
      title: "Describe the server",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async (_, extra) => {
    const { caller, signal } = extra;
    const [system, programs, databases, hosts, servers] = await Promise.all([
      describeSystem(),
      findPrograms(extra),
      listDatabases({ caller, signal }),
      listHosts({ caller, signal }),
      listServers(extra),
    ]);
    const known = {
      cwd: shorten(Deno.cwd(), MOST_PATH),
      user: extra.user?.name ?? nameOfUser(),
      ...(extra.home === undefined ? {} : { home: shorten(extra.home, MOST_PATH) }),
      system,
      programs,
      limits: limitsOf(extra, context.limits),
    };
    const { rights } = caller;
    const access = fillLists(MOST_BYTES - sizeOf({ ...known, access: {} }), {
      databases,
      hosts: hosts.names,
      ...(hosts.allowed === undefined ? {} : { allowedHosts: hosts.allowed }),
      ...(rights === undefined || rights.paths.includes("/**") ? {} : { paths: rights.paths }),
      labels: [...new Set(servers.flatMap(({ labels }) => labels))],
      servers: servers.map(({ name }) => name),
    });
    return buildResponse({ ...known, access });
  });
};

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}...` : text;
}

/** A user without an account has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(Deno.uid());
  }
}

const RELEASE_FILE = "/etc/os-release";
const PRETTY_NAME = /^PRETTY_NAME="?(.{1,60}?)"?$/m;

async function describeSystem(): Promise<JsonObject> {
  const text = await Deno.readTextFile(RELEASE_FILE).catch(() => "");
  const [, name] = PRETTY_NAME.exec(text) ?? [];
  return {
    ...(name === undefined ? {} : { name }),
    kernel: `${kernel()} ${release()}`,
    arch: arch(),
    host: hostname(),
    processors: availableParallelism(),
  };
}

/** The programs that agents ask for first, with the option that says the version. */
const PROGRAMS = {
  bash: "--version",
  node: "--version",
  deno: "--version",
  python3: "--version",
  php: "--version",
  java: "-version",
  git: "--version",
  rg: "--version",
  psql: "--version",
  docker: "--version",
} as const;

/** Names those that are found, and then each with the first line of its version. */
const SCRIPT = Object.entries(PROGRAMS).map(([name, option]) => {
  return `if command -v ${name} >/dev/null; then echo ${name}; ` +
    `{ v=$(${name} ${option} 2>&1 </dev/null) && printf '%s\\t%.99s\\n' ${name} "\${v%%"$n"*}"; } & fi`;
}).join("\n");
const VERSIONS_MS = 2_000;
const VERSION = /\d+(?:\.\d+)*/;

/** The programs on the PATH of commands, each with its version, or without one that comes too late. */
async function findPrograms({ commands, signal }: ToolExtra): Promise<Record<string, string>> {
  const script = `n='\n'\n${SCRIPT}\nwait`;
  const spec = { program: "sh", args: ["-c", script], stdin: "", timeoutMs: VERSIONS_MS };
  try {
    const { stdout } = await commands.run(spec, { signal });
    const lines = stdout.split("\n").filter((line) => line !== "").map((line) => line.split("\t"));
    const found = lines.map(([name = "", text = ""]) => [name, VERSION.exec(text)?.[0] ?? ""]);
    return Object.fromEntries(found);
  } catch (error) {
    if (!(error instanceof ToolError) || error instanceof BusyError) throw error;
    return {};
  }
}

/** The servers on which a job may run; none where no jobs can be kept. */
async function listServers({ jobs }: ToolExtra) {
  try {
    return await jobs.servers();
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

/** The limits of the caller's calls and jobs. */
function limitsOf({ caller, limits }: ToolExtra, server: Limits): JsonObject {
  const { maxTimeoutMs = Infinity, maxCalls, maxJobs } = caller.rights ?? {};
  const { timeoutMs, outputBytes, maxOutputBytes, maxFileBytes, maxCopyBytes, maxBodyBytes } =
    server;
  return {
    timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
    maxTimeoutMs: limits.maxTimeoutMs,
    maxJobTimeoutMs: Math.min(server.maxJobTimeoutMs, maxTimeoutMs),
    outputBytes,
    maxOutputBytes,
    maxFileBytes,
    maxCopyBytes,
    maxBodyBytes,
    maxCalls: Math.min(server.maxCalls, maxCalls ?? Infinity),
    maxJobs: Math.min(server.maxJobs, maxJobs ?? Infinity),
  };
}

type Lists = Readonly<Record<string, readonly JsonValue[]>>;

/**
 * Cuts lists to so many bytes as JSON text: each gets an equal share of what those before it left.
 * `more` says how many entries of a list are left out; a list without entries is too.
 */
export function fillLists(most: number, lists: Lists): JsonObject {
  const filled = Object.entries(lists).filter(([, entries]) => entries.length > 0);
  const names = filled.map(([name]) => name);
  const keys = sizeOf({ more: Object.fromEntries(names.map((name) => [name, 1e9])) });
  let left = most - keys;
  const answer: JsonObject = {};
  const more: Record<string, number> = {};
  for (const [at, [name, entries]] of filled.entries()) {
    const share = Math.floor(left / (filled.length - at));
    let used = sizeOf({ [name]: [] });
    const rest = entries.findIndex((entry) => {
      const size = sizeOf(entry) + 1;
      if (used + size > share) return true;
      used += size;
      return false;
    });
    answer[name] = rest === -1 ? [...entries] : entries.slice(0, rest);
    if (rest !== -1) more[name] = entries.length - rest;
    left -= used;
  }
  return Object.keys(more).length === 0 ? answer : { ...answer, more };
}

const encoder = new TextEncoder();

function sizeOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

export default register;
