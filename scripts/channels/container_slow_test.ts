import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { childrenOf } from "../../mcp_server/testing/processes.ts";
import { ROOT } from "../../test_support/root.ts";
import { requires } from "../../test_support/services.ts";
import { builtPackage } from "../npm/testing/built_package.ts";
import { run } from "../npm/testing/server_package.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { readServiceFiles } from "./service_files.ts";

/** What the Dockerfile says about how the container is run. */
interface ImageConfig {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string;
  readonly healthcheck: readonly string[];
  readonly entryPoint: readonly string[];
}

/** The user `node` of the base image. */
const USER = 1000;
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const TOKEN = "a-token-of-the-container-test-0123456789";
const WITHIN_MS = 30_000;

/** Runs its arguments as the image's user in a new root, below an init, in namespaces of their own. */
const START = `set -e
root=$1; shift
ip link set lo up
mount --rbind /usr "$root/usr"
mount --bind "$root/local" "$root/usr/local"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
chmod 1777 "$root/tmp"
exec chroot --userspec=${USER}:${USER} "$root" "$@"`;

/** Reads the instructions that the test follows; `RUN` is what builds the root file system. */
function parseDockerfile(text: string): ImageConfig {
  const lines = text.replaceAll("\\\n", "").split("\n");
  const of = (name: string) => lines.find((line) => line.startsWith(`${name} `)) ?? "";
  const words = (line: string) => JSON.parse(/\[.*\]/.exec(line)?.[0] ?? "[]");
  const [, name = "", value = ""] = /^ENV (\w+)=(\S+)$/.exec(of("ENV")) ?? [];
  return {
    env: { [name]: value },
    folder: of("WORKDIR").replace("WORKDIR ", ""),
    user: of("USER").replace("USER ", ""),
    healthcheck: words(of("HEALTHCHECK")),
    entryPoint: words(of("ENTRYPOINT")),
  };
}

/** A root file system as the Dockerfile builds it, on the programs of this Debian. */
async function buildRoot(root: string): Promise<void> {
  for (const name of ["usr", "dev", "proc", "tmp", "etc", "local", "home/node"]) {
    await Deno.mkdir(`${root}/${name}`, { recursive: true });
  }
  for (const name of ["bin", "lib", "lib64", "sbin"]) {
    await Deno.symlink(`usr/${name}`, `${root}/${name}`);
  }
  await Deno.writeTextFile(`${root}/etc/passwd`, `node:x:${USER}:${USER}::/home/node:/bin/sh\n`);
  await Deno.chown(`${root}/home/node`, USER, USER);
  await using built = await builtPackage("mcp_server");
  const install = ["install", "--global", "--prefix", `${root}/local`, "--prefer-offline"];
  await run("npm", [...install, "--no-audit", "--no-fund", built.tarball], root);
}

Deno.test({
  ...requires(
    "tini",
    "a container of the Dockerfile serves as a user without rights, below an init",
  ),
  fn: async (t) => {
    await using folder = await createTempFolder();
    const root = folder.path;
    await Deno.chmod(root, 0o755);
    await buildRoot(root);
    const config = parseDockerfile((await readServiceFiles(ROOT))["Dockerfile"] ?? "");
    strictEqual(config.user, "node");
    const env = { PATH, HOME: config.folder, MCP_TOKEN: TOKEN, ...config.env };
    const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const inFolder = ["env", "-i", "-C", config.folder, ...assigned];
    const own = ["--mount", "--pid", "--net", "--fork", "--kill-child"];
    const container = new Deno.Command("unshare", {
      args: [...own, "sh", "-c", START, "sh", root, ...inFolder, ...config.entryPoint],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    try {
      const init = await serving(container);
      const inside = async (words: readonly string[]) => {
        const args = ["--target", `${init}`, "--mount", "--pid", "--net", "--root"];
        const user = ["--setuid", `${USER}`, "--setgid", `${USER}`];
        const command = [...args, ...user, ...inFolder, ...words];
        return await new Deno.Command("nsenter", { args: command }).output();
      };
      const execute = async (command: string) => {
        const body = JSON.stringify({ tool: "exec-command", args: { command } });
        const { stdout } = await inside([
          ...["curl", "-s", "http://127.0.0.1:1234/api", "-d", body],
          ...["-H", "content-type: application/json", "-H", `authorization: Bearer ${TOKEN}`],
        ]);
        return JSON.parse(new TextDecoder().decode(stdout)).results[0].stdout.trim();
      };

      await t.step("the check of its health succeeds, and fails without the server", async () => {
        strictEqual((await inside(config.healthcheck)).code, 0);
        const elsewhere = ["env", "MCP_PORT=1", ...config.healthcheck];
        strictEqual((await inside(elsewhere)).code, 1);
      });

      await t.step("commands run as its user, in its folder", async () => {
        strictEqual(
          await execute("id -u; pwd; cat /proc/1/comm"),
          `${USER}\n${config.folder}\ntini`,
        );
      });

      await t.step("the init reaps what a command leaves", async () => {
        await execute("(setsid sleep 0.01 > /dev/null 2>&1 &)");
        const states = "cat /proc/[0-9]*/stat | grep -c '(sleep)' || true";
        const deadline = AbortSignal.timeout(WITHIN_MS);
        while (await execute(states) !== "0") deadline.throwIfAborted();
      });

      await t.step("a request without the token is refused", async () => {
        const address = "http://127.0.0.1:1234/api/tools";
        const { stdout } = await inside([
          "curl",
          "-s",
          "-o",
          "/dev/null",
          "-w",
          "%{http_code}",
          address,
        ]);
        strictEqual(new TextDecoder().decode(stdout), "401");
      });

      await t.step("SIGTERM, as of docker stop, ends it with 0", async () => {
        Deno.kill(init, "SIGTERM");
        deepStrictEqual((await container.status).code, 0);
      });
    } finally {
      // with everything in its namespaces
      kill(container);
      await container.status;
    }
  },
});

/** Waits until the container serves; resolves with the process that is its first one. */
async function serving(container: Deno.ChildProcess): Promise<number> {
  let output = "";
  for await (const text of container.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    if (output.includes("/mcp and /api")) break;
  }
  match(output, /\/mcp and \/api/);
  const [init] = await childrenOf(container.pid);
  ok(init !== undefined);
  return init;
}

function kill(container: Deno.ChildProcess): void {
  try {
    container.kill("SIGKILL");
  } catch (error) {
    // it has ended already
    if (!(error instanceof TypeError)) throw error;
  }
}
