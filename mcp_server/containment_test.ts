import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { toOwnGroup } from "./run/containment.ts";
import { killIn, processesIn, untilProcessesIn, whyUncontained } from "./testing/contained.ts";
import { callApi, toAnswer } from "./testing/http_caller.ts";
import { needsRoot } from "./testing/needs_root.ts";
import { serverCommand, type ServerProcess, startServer } from "./testing/server_process.ts";

const uncontained = await whyUncontained();

/** With all permissions, control groups are reached directly; otherwise by a helper. */
const PERMISSIONS = {
  "all permissions": ["-A"],
  "those of deno task start": ["read", "write", "run", "env", "net", "sys"]
    .map((name) => `--allow-${name}`),
};

/** Something that outlives its command and shows nothing of where it came from. */
const HIDDEN = "env -i setsid sleep 300";

/** Runs commands in a folder, one after the other. */
async function run(
  { url }: ServerProcess,
  cwd: string,
  commands: readonly string[],
  timeoutMs = 30_000,
): Promise<Record<string, unknown>[]> {
  const args = { commands: commands.map((command) => ({ command, cwd })), timeoutMs };
  const { body: { results } } = await callApi(url, "exec-command", args);
  return results as Record<string, unknown>[];
}

async function containmentOf({ url }: ServerProcess): Promise<unknown> {
  return (await toAnswer(await fetch(`${url}/healthz?verbose`))).body.containment;
}

for (const [what, permissions] of Object.entries(PERMISSIONS)) {
  Deno.test(`a server with ${what} ends what a stopped command hid, or says that it can't`, async () => {
    await using folder = await createTempFolder();
    await using server = await startServer({ permissions });
    const { by, reason } = Object(await containmentOf(server));
    if (uncontained !== undefined) return deepStrictEqual([by, reason], ["variable", uncontained]);
    strictEqual(by, "cgroup");
    try {
      // The first command joins when it starts, the next ones become of shells that wait.
      for (let round = 0; round < 3; round++) {
        const [result] = await run(
          server,
          folder.path,
          [`${HIDDEN} & (${HIDDEN} &) ; sleep 300`],
          300,
        );
        strictEqual(result?.timedOut, true);
        deepStrictEqual(processesIn(folder.path), []);
      }
      const [held] = await run(server, folder.path, [`${HIDDEN} & echo held`]);
      strictEqual(held?.backgroundEnded, 1);
      await untilProcessesIn(folder.path, 0);
    } finally {
      killIn(folder.path);
    }
  });

  Deno.test(`commands of a server with ${what} see the same with control groups as without`, async () => {
    await using folder = await createTempFolder();
    await Deno.writeTextFile(`${folder.path}/broken`, "#!/no/such/program\n", { mode: 0o755 });
    const odd = { "A.B": "1", LD_LIBRARY_PATH: "/x", BASH_ENV: "/y", PWD: "/z", Q: "it's\n\\ü" };
    const see = async (env: Record<string, string>) => {
      await using server = await startServer({ permissions, env: { ...env, IFS: "x" } });
      const commands = [
        { command: "env | grep -v ^MCP_RUN_ID | sort; pwd; umask; echo $0 $# $- $PPID >/dev/null" },
        { command: "env | grep -v ^MCP_RUN_ID | sort", env: odd, cwd: folder.path },
        { command: 'readlink /proc/self/fd/0; echo "$(cat)" | wc -c', cwd: folder.path },
        { command: "echo a )" },
        { command: "no-such-program" },
        { command: "./broken", cwd: folder.path },
        { command: "kill -9 $$" },
        { command: "true", cwd: `${folder.path}/missing` },
        { command: "true", env: { PATH: "/missing" } },
        { command: "printf '%s' 'ünï'; exit 3" },
      ];
      const shell = await callApi(server.url, "exec-command", { commands });
      const script = await callApi(server.url, "python-script", {
        script: "import os, sys\nprint(sorted(set(os.environ) - {'MCP_RUN_ID'}), sys.stdin.read())",
        stdin: "input\n",
      });
      return [shell.status, shell.body, script.body];
    };
    deepStrictEqual(await see({}), await see({ MCP_CONTAINMENT: "off" }));
  });
}

Deno.test("after kill -9 the next server ends what commands hid, and nothing else", async () => {
  if (uncontained !== undefined) return;
  await using stack = new AsyncDisposableStack();
  const [hidden, living, left] = [
    stack.use(await createTempFolder()).path,
    stack.use(await createTempFolder()).path,
    stack.use(await createTempFolder()).path,
  ];
  stack.defer(() => [hidden, living, left].forEach(killIn));
  const neighbor = stack.use(await startServer());
  const call = new AbortController();
  const long = { commands: [{ command: `${HIDDEN} & sleep 300; :`, cwd: living }] };
  const running = callApi(neighbor.url, "exec-command", long, { signal: call.signal });
  stack.defer(async () => {
    call.abort();
    await rejects(running);
  });
  await untilProcessesIn(living, 3);
  for (const permissions of Object.values(PERMISSIONS)) {
    killIn(left);
    const killed = await startServer({ permissions });
    await run(killed, left, [`${HIDDEN} >/dev/null 2>&1 </dev/null & :`]);
    const stopped = run(killed, hidden, [`${HIDDEN} & (${HIDDEN} &) ; sleep 300`]);
    stopped.catch(() => {});
    await untilProcessesIn(hidden, 3);
    await killed.stop("SIGKILL");
    await rejects(stopped);
    for (let next = 0; next < 2; next++) {
      const server = await startServer({ permissions });
      await untilProcessesIn(hidden, 0);
      await server.stop(next === 0 ? "SIGKILL" : "SIGTERM");
    }
    strictEqual(processesIn(living).length, 3, "the commands of a living server go on");
    strictEqual(processesIn(left).length, 1, "what a finished command left goes on");
  }
});

/** Becomes a user without rights, but to read all files: Deno may be root's. */
const AS_NOBODY = "exec setpriv --reuid=65534 --regid=65534 --clear-groups " +
  '--inh-caps=+dac_read_search --ambient-caps=+dac_read_search -- "$@"';

/** Mounts the tree of control groups as containers show it by default. */
const READ_ONLY = `for m in $(awk '$0 ~ / - cgroup2 / { print $5 }' /proc/self/mountinfo); do
  mount -o remount,bind,ro "$m" || exit; done; exec "$@"`;

/** What `contained_main.ts` reports. */
interface Report {
  readonly error?: string;
  readonly state?: { readonly by: string; readonly reason?: string; readonly folder?: string };
  readonly result?: { readonly timedOut: boolean };
}

/** Runs a script in a control group, in a process that another program starts. */
async function runThrough(
  [program = "", ...through]: readonly string[],
  { settings = {}, script = ":", timeoutMs = 1_000 },
): Promise<Report> {
  await using cache = await createTempFolder();
  await Deno.chmod(cache.path, 0o777);
  const main = new URL("./testing/contained_main.ts", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(program, {
    args: [...through, Deno.execPath(), "run", "-A", "--no-config", "--quiet", "--no-check", main]
      .concat(JSON.stringify(settings), script, String(timeoutMs)),
    cwd: "/",
    env: { DENO_DIR: cache.path },
  }).output();
  const decoder = new TextDecoder();
  strictEqual(decoder.decode(stderr), "");
  return JSON.parse(decoder.decode(stdout));
}

const BARRED = {
  "another user": ["sh", "-c", AS_NOBODY, "sh"],
  "a container, where the tree is read-only": ["unshare", "-m", "sh", "-c", READ_ONLY, "sh"],
};

for (const [who, through] of Object.entries(BARRED)) {
  Deno.test(
    ...needsRoot(`${who} makes no control groups: it is said why, and refused if required`),
    async () => {
      const { state } = await runThrough(through, {});
      strictEqual(state?.by, "variable");
      match(
        state.reason ?? "",
        uncontained === undefined ? /^the server may not make groups/ : /./,
      );
      for (const settings of [{ mode: "required" }, { limits: { pids: 100 } }]) {
        const { error = "" } = await runThrough(through, { settings });
        match(error, /^Error: Cannot contain commands in control groups: ./);
      }
    },
  );
}

Deno.test(
  ...needsRoot("a user to whom a group is delegated ends processes of root in it"),
  async () => {
    if (uncontained !== undefined) return;
    await using folder = await createTempFolder();
    await Deno.chmod(folder.path, 0o777);
    await using group = await delegate(65_534);
    const join = `echo 0 >${group.path}/cgroup.procs && ${AS_NOBODY}`;
    const run = runThrough(["sh", "-c", join, "sh"], {
      settings: { mode: "required" },
      script: `cd ${folder.path}; ${HIDDEN} & sleep 300; :`,
      timeoutMs: 6_000,
    });
    await untilProcessesIn(folder.path, 3);
    const own = await groupOf(processesIn(folder.path)[0] ?? 0);
    // As sudo would start it: the user may not send it a signal.
    const script = `echo 0 >${group.mount}${own}/cgroup.procs && trap "" TERM && exec sleep 20`;
    const root = new Deno.Command("sh", { args: ["-c", script] }).spawn();
    const { state, result } = await run;
    strictEqual(state?.folder, `${group.path}/trestle`);
    strictEqual(result?.timedOut, true);
    strictEqual((await root.status).signal, "SIGKILL");
    deepStrictEqual(processesIn(folder.path), []);
  },
);

async function groupOf(pid: number): Promise<string> {
  return /^0::(.*)$/m.exec(await Deno.readTextFile(`/proc/${pid}/cgroup`))?.[1] ?? "";
}

/** Creates a control group that belongs to a user. */
async function delegate(uid: number): Promise<AsyncDisposable & { path: string; mount: string }> {
  const read = (name: string) => Deno.readTextFile(`/proc/self/${name}`);
  const own = toOwnGroup(await read("cgroup"), await read("mountinfo"));
  const mount = toOwnGroup("0::/\n", await read("mountinfo"));
  const path = `${own}/trestle-test-${crypto.randomUUID()}`;
  await Deno.mkdir(path);
  for (const file of ["", "/cgroup.procs", "/cgroup.threads", "/cgroup.subtree_control"]) {
    await Deno.chown(`${path}${file}`, uid, uid);
  }
  return {
    path,
    mount,
    [Symbol.asyncDispose]: async () => {
      await Deno.remove(`${path}/trestle`).catch(() => {});
      await Deno.remove(path);
    },
  };
}

Deno.test("--check says whether there are control groups", async () => {
  const { command, args, env } = serverCommand({ args: ["--check"] });
  const { stdout, code } = await new Deno.Command(command, { args, env }).output();
  strictEqual(code, 0);
  const line = uncontained === undefined
    ? /^control groups: \/.*\/trestle$/m
    : /^no control groups: ./m;
  match(new TextDecoder().decode(stdout), line);
});
