import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { type Config, ConfigError } from "./config.ts";
import { helpText, parseConfig } from "./parse_config.ts";
import { LIMIT_SETTINGS } from "../shared/limits.ts";
import { SETTING_TEXTS } from "./settings.ts";

const parse = (args: string[], env: Record<string, string> = {}): Config =>
  parseConfig(args, env, 2);

Deno.test("parseConfig() defaults to a server on loopback with the default limits", () => {
  const config = parse([]);
  deepStrictEqual(
    [config.action, config.stdio, config.host, config.port, config.tokens, config.logLevel],
    ["serve", false, "127.0.0.1", 1234, [], "info"],
  );
  deepStrictEqual(config.limits, {
    timeoutMs: 30_000,
    maxTimeoutMs: 600_000,
    outputBytes: 131_072,
    maxOutputBytes: 16_777_216,
    maxResultBytes: 33_554_432,
    textBytes: 32_768,
    maxFileBytes: 4_194_304,
    maxCopyBytes: 17_179_869_184,
    maxBodyBytes: 4_194_304,
    maxConnections: 1_000,
    headerTimeoutMs: 15_000,
    bodyTimeoutMs: 60_000,
    sendTimeoutMs: 60_000,
    idleTimeoutMs: 75_000,
    maxRuns: 8,
    maxQueue: 64,
    maxCalls: 256,
    approvalMs: 600_000,
    taskAfterMs: 3_000,
    maxJobTimeoutMs: 86_400_000,
    jobOutputBytes: 16_777_216,
    jobTtlMs: 604_800_000,
    maxJobs: 1_000,
    maxJobArgsBytes: 67_108_864,
    drainMs: 0,
    drainNoticeMs: 3_000,
    toolLoadMs: 10_000,
  });
  strictEqual(parseConfig([], {}, 16).limits.maxRuns, 64);
});

Deno.test("parseConfig() lets a flag override its variable, and treats an empty variable as unset", () => {
  strictEqual(parse(["--port", "1"], { MCP_PORT: "2" }).port, 1);
  strictEqual(parse([], { MCP_PORT: "2" }).port, 2);
  strictEqual(parse([], { MCP_PORT: "" }).port, 1234);
  strictEqual(parse(["--js-runtime=deno"]).env.MCP_JS_RUNTIME, "deno");
});

Deno.test("parseConfig() serves the console unless it is switched off", () => {
  deepStrictEqual([parse([]).console, parse(["--console", "off"]).console], [true, false]);
  throws(
    () => parse([], { MCP_CONSOLE: "no" }),
    /Cannot use MCP_CONSOLE "no": it must be on or off/,
  );
});

Deno.test("parseConfig() keeps jobs in the folder that is named, else in that of the user's state", () => {
  const HOME = "/home/a";
  const CASES: [Record<string, string>, Config["dataFolder"]][] = [
    [{}, undefined],
    [{ HOME }, { path: "/home/a/.local/state/trestle", named: false }],
    [{ HOME, XDG_STATE_HOME: "/s" }, { path: "/s/trestle", named: false }],
    [{ HOME, XDG_STATE_HOME: "s" }, { path: "/home/a/.local/state/trestle", named: false }],
    [{ HOME, MCP_DATA_DIR: "data/" }, { path: "data", named: true }],
    [{ MCP_DATA_DIR: "/" }, { path: "/", named: true }],
  ];
  for (const [env, folder] of CASES) deepStrictEqual(parse([], env).dataFolder, folder);
});

const OAUTH = {
  MCP_OAUTH_ISSUER: "https://login.example.org",
  MCP_OAUTH_RESOURCE: "https://tools.example.org/mcp",
};

Deno.test("parseConfig() accepts OAuth instead of a token on every address", () => {
  const config = parse(["--host", "0.0.0.0"], OAUTH);
  deepStrictEqual(config.tokens, []);
  deepStrictEqual(config.oauth, {
    issuer: "https://login.example.org",
    resource: "https://tools.example.org/mcp",
  });
  strictEqual(parse([]).oauth, undefined);
  strictEqual(parse([], { MCP_OAUTH_ISSUER: "", MCP_OAUTH_RESOURCE: "" }).oauth, undefined);
});

/** Settings of the environment only. */
const READ_BY_TOOLS = ["MCP_JS_RUNTIME"];

Deno.test("parseConfig() reads every setting by its variable and by its flag", () => {
  const values: Record<string, string> = {
    MCP_HOST: "::1",
    MCP_ALLOWED_ORIGINS: "https://a.example",
    MCP_TLS_CERT: "/c",
    MCP_TLS_KEY: "/k",
    MCP_JS_RUNTIME: "/opt/node/bin/node",
    MCP_CONTAINMENT: "required",
    MCP_COMMAND_MEMORY_BYTES: "1048576",
    MCP_COMMAND_CPU: "0.5",
    MCP_LOG_LEVEL: "debug",
    MCP_CONSOLE: "off",
    MCP_SSH_HOST_KEYS: "accept-new",
    MCP_SSH_PARALLEL: "8",
    ...OAUTH,
    MCP_OAUTH_JWKS: "https://login.example.org/keys",
    MCP_JOBS_SCHEMA: "jobs",
    MCP_READ_ONLY: "1",
    MCP_ONLY_PATHS: "/srv/**",
    MCP_ONLY_DATABASES: "main=ro",
  };
  for (
    const { env, flag, value: placeholder } of SETTING_TEXTS.filter(({ flag }) =>
      flag !== undefined
    )
  ) {
    const value = values[env] ?? "2048";
    const pair: Record<string, string> = env.startsWith("MCP_TLS")
      ? { MCP_TLS_CERT: "/c", MCP_TLS_KEY: "/k" }
      : env.startsWith("MCP_OAUTH")
      ? OAUTH
      : env === "MCP_JOBS_SCHEMA"
      ? { MCP_JOBS_URL: "postgres://localhost/a" }
      : env === "MCP_CALLER"
      ? { MCP_CALLERS_FILE: "/f" }
      : {};
    const args = env === "MCP_CALLER" ? ["--stdio"] : [];
    const written = placeholder === undefined ? `--${flag}` : `--${flag}=${value}`;
    const byFlag = parse([...args, written], pair);
    deepStrictEqual(
      { ...byFlag, env: {} },
      { ...parse(args, { ...pair, [env]: value }), env: {} },
      env,
    );
    strictEqual(byFlag.env[env], value);
    if (!env.startsWith("MCP_TLS") && !READ_BY_TOOLS.includes(env) && !env.startsWith("MCP_SSH")) {
      const without = parse([], env === "MCP_JOBS_SCHEMA" ? pair : {});
      throws(() => deepStrictEqual({ ...byFlag, env: {} }, { ...without, env: {} }), env);
    }
  }
});

/** Flags, variables, and the line with which they are rejected. */
const REFUSALS: readonly [string[], Record<string, string>, string][] = [
  [["--prot", "1"], {}, "Cannot read the flags: Unknown option '--prot'; see --help"],
  [["serve"], {}, "Cannot read the flags: Unexpected argument 'serve'; see --help"],
  [["--port"], {}, "Cannot read the flags: Option '--port <value>' argument missing; see --help"],
  [["--port", "65536"], {}, 'Cannot use MCP_PORT "65536": it must be 0 to 65535'],
  [["--ssh-parallel", "0"], {}, 'Cannot use MCP_SSH_PARALLEL "0": it must be 1 to 256'],
  [
    [],
    { MCP_SSH_HOST_KEYS: "no" },
    'Cannot use MCP_SSH_HOST_KEYS "no": it must be strict or accept-new',
  ],
  [
    [],
    { MCP_CONTAINMENT: "on" },
    'Cannot use MCP_CONTAINMENT "on": it must be one of off, auto, required',
  ],
  [
    [],
    { MCP_CONTAINMENT: "off", MCP_COMMAND_PIDS: "9" },
    'Cannot use MCP_COMMAND_PIDS with MCP_CONTAINMENT "off": it needs control groups',
  ],
  [
    [],
    { MCP_COMMAND_MEMORY_BYTES: "1M" },
    'Cannot use MCP_COMMAND_MEMORY_BYTES "1M": it must be 1048576 to 1125899906842624',
  ],
  [
    [],
    { MCP_COMMAND_CPU: "0" },
    'Cannot use MCP_COMMAND_CPU "0": it must be 0.01 to 4096 processors',
  ],
  [[], { MCP_PORT: "12x" }, 'Cannot use MCP_PORT "12x": it must be 0 to 65535'],
  [[], { MCP_PORT: "-1" }, 'Cannot use MCP_PORT "-1": it must be 0 to 65535'],
  [[], { MCP_PORT: "1e3" }, 'Cannot use MCP_PORT "1e3": it must be 0 to 65535'],
  [
    [],
    { MCP_HOST: "0.0.0.0" },
    'Cannot listen on "0.0.0.0" without a token: set MCP_TOKEN=$(openssl rand -hex 32) ' +
    "or MCP_CALLERS_FILE",
  ],
  [[], { MCP_TOKEN: "a,b,c" }, "Cannot use MCP_TOKEN: it has 3 tokens, 2 are the most"],
  [
    [],
    { MCP_ALLOWED_ORIGINS: "https://a.example/path" },
    'Cannot use MCP_ALLOWED_ORIGINS "https://a.example/path": an origin is like https://example.org:8443',
  ],
  [
    [],
    { MCP_OAUTH_ISSUER: "https://a.example" },
    "Cannot use OAuth: set both MCP_OAUTH_ISSUER and MCP_OAUTH_RESOURCE",
  ],
  [
    [],
    { MCP_OAUTH_JWKS: "https://a.example/keys" },
    "Cannot use OAuth: set both MCP_OAUTH_ISSUER and MCP_OAUTH_RESOURCE",
  ],
  [
    ["--oauth-resource", "https://Tools.example.org/mcp"],
    { MCP_OAUTH_ISSUER: "https://a.example" },
    'Cannot use MCP_OAUTH_RESOURCE "https://Tools.example.org/mcp": write it as ' +
    "https://tools.example.org/mcp",
  ],
  [
    [],
    { ...OAUTH, MCP_OAUTH_RESOURCE: "https://tools.example.org/mcp/" },
    'Cannot use MCP_OAUTH_RESOURCE "https://tools.example.org/mcp/": it must have no slash at ' +
    "its end",
  ],
  [
    [],
    { ...OAUTH, MCP_OAUTH_ISSUER: "http://login.example.org" },
    'Cannot use MCP_OAUTH_ISSUER "http://login.example.org": it must use https; http is for ' +
    "127.0.0.1, [::1] and localhost only",
  ],
  [
    [],
    { ...OAUTH, MCP_OAUTH_JWKS: "keys.json" },
    'Cannot use MCP_OAUTH_JWKS "keys.json": it must be a URL, such as https://login.example.org',
  ],
  [[], { MCP_TLS_CERT: "/c" }, "Cannot serve HTTPS: set both MCP_TLS_CERT and MCP_TLS_KEY"],
  [
    [],
    { MCP_ASK: "write-file,a b" },
    'Cannot use MCP_ASK "a b": it must be the name or a pattern of tools, such as ssh-*',
  ],
  [
    [],
    { MCP_ALLOWED_HOSTS: "http://a/" },
    'Cannot use MCP_ALLOWED_HOSTS "http://a/": a host is like tools.example.org or [::1]:8443',
  ],
  [
    [],
    { MCP_JS_RUNTIME: "nodeevil" },
    'Cannot use MCP_JS_RUNTIME "nodeevil": it must be node, deno or bun',
  ],
  [
    [],
    { MCP_LOG_LEVEL: "loud" },
    'Cannot use MCP_LOG_LEVEL "loud": it must be one of debug, info, warn, error',
  ],
  [
    [],
    { MCP_JS_RUNTIME: "php" },
    'Cannot use MCP_JS_RUNTIME "php": it must be node, deno or bun',
  ],
];

Deno.test("parseConfig() rejects bad values with one line that names setting and value", () => {
  for (const [args, env, message] of REFUSALS) {
    throws(() => parse(args, env), (error) => {
      strictEqual(error instanceof ConfigError && error.message, message);
      return true;
    });
  }
});

Deno.test("parseConfig() reads additional folders of tools from a list and from repeated flags", () => {
  deepStrictEqual(parse(["--tools", "/a", "--tools", "/b,/c:d"]).toolFolders, ["/a", "/b", "/c:d"]);
  strictEqual(parse(["--host", "[::1]"]).host, "::1");
});

Deno.test("parseConfig() never repeats a token that it rejects", () => {
  throws(() => parse([], { MCP_TOKEN: "secret token" }), (error) => {
    return error instanceof ConfigError && !error.message.includes("secret");
  });
});

Deno.test("parseConfig() checks every limit against its range", () => {
  for (const { env, min, max } of LIMIT_SETTINGS) {
    throws(() => parse([], { [env]: String(min - 1) }), ConfigError, env);
    throws(() => parse([], { [env]: String(max + 1) }), ConfigError, env);
    throws(() => parse([], { [env]: "many" }), ConfigError, env);
    parse([], { [env]: String(min) });
    parse([], { [env]: String(max) });
  }
});

Deno.test("parseConfig() serves any host with a token, and two tokens for rotation", () => {
  const config = parse(["--host", "0.0.0.0"], { MCP_TOKEN: "old, new" });
  deepStrictEqual(config.tokens, ["old", "new"]);
});

Deno.test("parseConfig() serves any host with a callers file", () => {
  const config = parse(["--host", "0.0.0.0", "--callers", "/etc/callers.json"]);
  deepStrictEqual([config.tokens, config.callersFile], [[], "/etc/callers.json"]);
  strictEqual(parse([], { MCP_CALLERS_FILE: "c" }).callersFile, "c");
  strictEqual(parse([]).callersFile, undefined);
});

Deno.test("parseConfig() has an action for the token of a new caller", () => {
  const { action, newTokenFor } = parse(["--new-token", "ci"]);
  deepStrictEqual([action, newTokenFor], ["new-token", "ci"]);
  strictEqual(parse(["--new-token", "ci", "--help"]).action, "help");
});

Deno.test("helpText() names every flag and every variable", () => {
  const help = helpText("main.ts", parse([]).limits);
  for (const { env, flag } of SETTING_TEXTS) {
    strictEqual(help.includes(env), true, env);
    if (flag !== undefined) strictEqual(help.includes(`--${flag}`), true, flag);
  }
  for (const line of help.split("\n")) strictEqual(line.length <= 110, true, line);
});
