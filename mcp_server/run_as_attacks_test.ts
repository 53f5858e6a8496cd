import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { callApi } from "./testing/http_caller.ts";
import { startServer } from "./testing/server_process.ts";
import { createTestUser, needsUsers } from "./testing/test_user.ts";

/** A user that is neither the server's nor that of its commands. */
const OTHER = 65534;

Deno.test(...needsUsers("MCP_RUN_AS is a wall between commands and root"), async (t) => {
  await using user = await createTestUser();
  await using folder = await createTempFolder();
  const shared = `${folder.path}/shared`;
  await Deno.mkdir(shared);
  await Deno.chmod(shared, 0o777);
  const [data, audit] = [`${folder.path}/data`, `${folder.path}/audit.jsonl`];
  const env = { MCP_RUN_AS: user.name, MCP_DATA_DIR: data, MCP_AUDIT_FILE: audit };
  await using server = await startServer({ env });
  const sh = async (command: string, env: Record<string, string> = {}) => {
    const { body } = await callApi(server.url, "exec-command", { commands: [{ command, env }] });
    const [result] = Array.isArray(body.results) ? body.results : [body];
    return result;
  };

  await t.step("it reads neither root's files nor the server's", async () => {
    const files = ["/etc/shadow", audit, `${data}/jobs.db`].map((path) => `cat ${path}`);
    for (const command of [...files, `ls ${data}`]) {
      const { stdout, stderr, exitCode } = await sh(command);
      deepStrictEqual([stdout, exitCode === 0], ["", false], command);
      match(stderr, /Permission denied/);
    }
  });

  await t.step("it reads nothing of the server's process, and can't trace it", async () => {
    for (const name of ["environ", "mem", "maps", "fd", "cwd"]) {
      const { stdout, stderr } = await sh(
        `cd / && cat /proc/${server.pid}/${name}/. || ` +
          `cat /proc/${server.pid}/${name}`,
      );
      deepStrictEqual([name, stdout], [name, ""]);
      match(stderr, /Permission denied/);
    }
  });

  await t.step("it sends no signal to the server", async () => {
    const { stderr, exitCode } = await sh(`kill -KILL ${server.pid}`);
    match(stderr, /Operation not permitted/);
    strictEqual(exitCode, 1);
  });

  await t.step("its programs with a setuid bit do not run as root", async () => {
    const program = `${shared}/id`;
    await Deno.copyFile("/usr/bin/id", program);
    await Deno.chmod(program, 0o4755);
    strictEqual((await sh(`${program} -u`)).stdout, `${user.uid}\n`);
  });

  await t.step("its variables take effect only after root's part of the start", async () => {
    const log = `${shared}/log`;
    for (const name of ["sh", "bash", "chown", "setpriv", "env"]) {
      await Deno.writeTextFile(`${shared}/${name}`, `#!/bin/sh\n/usr/bin/id -u >>${log}\n`);
      await Deno.chmod(`${shared}/${name}`, 0o755);
    }
    await Deno.writeTextFile(`${shared}/rc`, `/usr/bin/id -u >>${log}\n`);
    await sh("true", { PATH: shared });
    await sh("true", { BASH_ENV: `${shared}/rc`, ENV: `${shared}/rc` });
    await sh("true", { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: `${shared}/ld` });
    const ran = (await Deno.readTextFile(log)).trim().split("\n");
    deepStrictEqual(new Set(ran), new Set([String(user.uid)]));
    const traced = [...Deno.readDirSync(shared)].filter(({ name }) => name.startsWith("ld."));
    strictEqual(traced.length > 0, true, "the user's own program is traced");
    for (const { name } of traced) strictEqual(Deno.statSync(`${shared}/${name}`).uid, user.uid);
  });

  await t.step("a variable that would define a function for a shell is refused", async () => {
    const { detail } = await sh("true", { "BASH_FUNC_chown%%": "() { id; }" });
    match(detail, /the name of the variable "BASH_FUNC_chown%%" has other characters/);
  });

  await t.step("its scripts are closed to other users", async () => {
    const job = await startJob(server.url, 'echo "$0"; cat');
    const path = await job.firstLine();
    const look = await asOther(
      `cat '${path}'; ls '${path.replace(/\/[^/]*$/, "")}'; ` +
        `ls '${path.replace(/\/[^/]*\/[^/]*$/, "")}'`,
    );
    strictEqual(look.stdout, "");
    strictEqual(look.stderr.match(/Permission denied/g)?.length, 3);
    strictEqual((await Deno.stat(path)).uid, user.uid);
    const { stdout, job: { state } } = Object(await job.end());
    deepStrictEqual([stdout, state], ["last", "completed"]);
    await rejects(Deno.stat(path), Deno.errors.NotFound);
  });
});

/** Starts a script as a job, which ends with its input. */
async function startJob(url: string, script: string) {
  const call = async (tool: string, args: object) => (await callApi(url, tool, args)).body;
  const started = await call("job-start", { tool: "bash-script", args: { script }, stdin: true });
  const { id } = Object(started.job);
  return {
    firstLine: async () => String((await call("job-wait", { id, until: "\n" })).stdout).trim(),
    end: () => call("job-input", { id, text: "last", end: true, seconds: 25 }),
  };
}

async function asOther(script: string): Promise<{ stdout: string; stderr: string }> {
  const args = [`--reuid=${OTHER}`, `--regid=${OTHER}`, "--clear-groups", "sh", "-c", script];
  const { stdout, stderr } = await new Deno.Command("setpriv", { args }).output();
  const decoder = new TextDecoder();
  return { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
