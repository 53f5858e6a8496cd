import fc from "fast-check";

/** The body of a call through the HTTP API. */
export interface FuzzedCall {
  readonly tool: unknown;
  readonly args: unknown;
}

/** Odd text that is harmless as a command, a path below a folder or a query. */
const ODD = fc.constantFrom(
  "",
  "a\0b",
  "\ud800",
  "\u202e",
  "-",
  "--",
  "'",
  "\n",
  "é",
  "𝟘".repeat(500),
);

/**
 * Generates calls of each tool, with partly valid arguments. Commands, scripts, paths and hosts
 * come from lists, so that nothing harmful is run, written or reached.
 */
export function fuzzedArguments(folder: string): fc.Arbitrary<FuzzedCall> {
  const path = fc.oneof(ODD, fc.constantFrom("a", "b/c", "./a", "a/")).map((name) =>
    `${folder}/${name}`
  );
  const command = fc.oneof(
    ODD,
    fc.constantFrom("true", "echo a", "exit 3", "kill -9 $$", "echo ("),
  );
  const query = fc.oneof(
    ODD,
    fc.constantFrom("SELECT 1", "SELECT ?1", "SELEC", "SELECT 1; SELECT 2"),
  );
  const whole = fc.oneof(fc.constantFrom(1, 50, 0, -1, 1.5, 1e9, 2 ** 53), fc.integer());
  const limits = {
    timeoutMs: loose(fc.constantFrom(50, 500, 0, -1)),
    maxOutputBytes: loose(whole),
  };
  const script = loose(command);
  const tools: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
    "exec-command": {
      commands: loose(list({ command: loose(command), cwd: loose(path) })),
      ...limits,
    },
    "bash-script": { script, cwd: loose(path), ...limits },
    "python-script": { script, ...limits },
    "read-file": { path: loose(path), offset: loose(whole), limit: loose(whole) },
    "write-file": {
      path: fc.oneof(path, fc.constantFrom(5, null, true)),
      content: loose(ODD),
      mode: loose(fc.constantFrom("0644", "9", "07777")),
      encoding: loose(fc.constantFrom("utf8", "base64", "x")),
    },
    "sql-query": {
      batches: loose(list({
        database: loose(fc.constantFrom("main", "server", "none-such", "../x", "")),
        queries: loose(fc.array(query, { maxLength: 3 })),
        params: loose(
          fc.array(fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }), { maxLength: 3 }),
        ),
      })),
      maxRows: loose(whole),
    },
    "ssh-exec": {
      connections: loose(list({
        host: loose(fc.oneof(ODD, fc.constantFrom("127.0.0.1:1", "-oProxyCommand=id", "[::1]:1"))),
        username: loose(ODD),
        commands: loose(fc.array(command, { maxLength: 2 })),
      })),
    },
  };
  return fc.oneof(
    ...Object.entries(tools).map(([tool, args]) =>
      fc.record(args, { requiredKeys: [] }).map((drawn) => ({ tool, args: drawn }))
    ),
    fc.record({ tool: fc.jsonValue(), args: fc.jsonValue() }),
  );
}

function list(entry: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  return fc.array(fc.record(entry, { requiredKeys: [] }), { maxLength: 3 });
}

/** Mostly the right kind of value, and sometimes one of another kind. */
function loose(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: right, weight: 9 },
    { arbitrary: fc.constantFrom(null, 5, true, [], {}, [[]], "", "true"), weight: 1 },
  );
}
