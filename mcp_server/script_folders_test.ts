import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { needsRoot } from "./testing/needs_root.ts";
import { serverCommand, type ServerProcess, startServer } from "./testing/server_process.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { findByMark, kill } from "./testing/test_runner.ts";

async function callBash({ url }: ServerProcess, script: string): Promise<[number, unknown]> {
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool: "bash-script", args: { script } }),
  });
  return [response.status, await response.json()];
}

/** Starts a server whose temporary folder is mounted by a script, in a mount namespace of its own. */
async function startMounted(temp: string, mount: string): Promise<ServerProcess> {
  const env = { TMPDIR: temp, MCP_PORT: "0" };
  const { command, args } = serverCommand();
  const script = `${mount}\nshift; exec "$@"`;
  return await startServer({
    program: "unshare",
    args: ["--mount", "sh", "-c", script, "sh", temp, command, ...args],
    env,
  });
}

const MOUNTS: Record<string, [mount: string, state: RegExp]> = {
  "is full": ['mount -t tmpfs -o size=16k none "$1"; head -c 64k /dev/zero > "$1/x"', /is full/],
  "has no room for the script": ['mount -t tmpfs -o size=4k none "$1"', /is full/],
  "has no inode left": ['mount -t tmpfs -o nr_inodes=1 none "$1"', /is full/],
  "is read-only": ['mount -t tmpfs -o ro none "$1"', /is read-only/],
  "is missing": ['rmdir "$1"', /does not exist/],
};

for (const [what, [mount, state]] of Object.entries(MOUNTS)) {
  const name = `a script is rejected with 507, and leaves nothing, if the temporary folder ${what}`;
  Deno.test(...needsRoot(name), async () => {
    const temp = await Deno.makeTempDir();
    const mark = crypto.randomUUID();
    {
      await using server = await startMounted(temp, mount);
      const seen = `/proc/${server.pid}/root${temp}`;
      const before = listed(seen);
      const [status, body] = await callBash(server, `: ${mark}\n${"#".repeat(20_000)}`);
      const { code, detail } = body as { code: string; detail: string };
      deepStrictEqual([status, code], [507, "TEMP_FOLDER_UNUSABLE"]);
      match(detail, state);
      strictEqual(detail.includes(JSON.stringify(temp)), true, detail);
      deepStrictEqual(listed(seen), before);
    }
    await Deno.remove(temp).catch(() => {});
  });
}

function listed(folder: string): string[] | undefined {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch {
    return undefined;
  }
}

Deno.test(
  ...needsRoot("a script whose folder can't be removed still returns its result"),
  async () => {
    const temp = await Deno.makeTempDir();
    {
      await using server = await startMounted(temp, "");
      const [status, body] = await callBash(
        server,
        'mkdir "$(dirname "$0")/m" && mount -t tmpfs none "$(dirname "$0")/m" && echo done',
      );
      deepStrictEqual([status, (body as { stdout: string }).stdout], [200, "done\n"]);
      await server.logged(/"level":"warn","message":"the folder of a script was not removed"/);
    }
    await Deno.remove(temp, { recursive: true });
  },
);

Deno.test("the next start removes the scripts of a server that was killed, and no others", async () => {
  await using temp = await createTempFolder();
  const mark = crypto.randomUUID();
  const env = { TMPDIR: temp.path, MARK: mark };
  try {
    const killed = await startServer({ env });
    await using living = await startServer({ env });
    const calls = [killed, living].map((server) => callBash(server, "echo secret; sleep 300"));
    const settled = Promise.allSettled(calls);
    await until(() => listed(temp.path)?.length === 2 && findByMark(mark).length >= 6);
    const [first = "", second = ""] = listed(temp.path) ?? [];
    await killed.stop("SIGKILL");
    deepStrictEqual(listed(temp.path), [first, second]);
    await using _next = await startServer({ env });
    // A start does not wait long for the removal.
    await until(() => listed(temp.path)?.length === 1);
    const [left = ""] = listed(temp.path) ?? [];
    match(await Deno.readTextFile(`${temp.path}/${left}/script.sh`), /secret/);
    await living.stop();
    await settled;
    deepStrictEqual(listed(temp.path), []);
  } finally {
    findByMark(mark).forEach(kill);
  }
});

async function until(condition: () => boolean): Promise<void> {
  for (const late = performance.now() + 30_000; !condition();) {
    if (performance.now() > late) throw new Error("Cannot see it in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
