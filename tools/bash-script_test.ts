import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import register from "./bash-script.ts";

const { output, refusal } = realTool(register, "bash-script");

Deno.test("bash-script runs a script byte for byte as it was sent", async () => {
  const script = '#!/bin/bash\n# ä \u0001 \r\ncat "$0"';
  const { stdout } = await output({ script });
  strictEqual(stdout, script);
});

Deno.test("bash-script keeps the script from other users and out of argv", async () => {
  const script = `stat -c '%a' "$0" "$(dirname "$0")"; tr '\\0' ' ' < /proc/$$/cmdline`;
  const { stdout } = await output({ script });
  match(String(stdout), /^600\n700\n\S*bash \S+\/script\.sh $/);
});

Deno.test("bash-script removes the script, however it ended", async () => {
  const paths: string[] = [];
  const where = 'echo "$0"; ';
  for (const end of ["exit 1", "kill -9 $$", "sleep 60", 'rm -rf "$(dirname "$0")"']) {
    const { stdout } = await output({ script: where + end, timeoutMs: 3_000 });
    paths.push(String(stdout).trim());
  }
  strictEqual(new Set(paths).size, 4);
  for (const path of paths) {
    const left = await Deno.stat(path.replace(/\/[^/]+$/, "")).catch(() => undefined);
    strictEqual(left, undefined, path);
  }
});

Deno.test("bash-script reads its standard input, which is closed if none is sent", async () => {
  deepStrictEqual((await output({ script: "cat", stdin: "ä\nb" })).stdout, "ä\nb");
  deepStrictEqual((await output({ script: "cat; echo end" })).stdout, "end\n");
});

Deno.test("bash-script runs in the folder of the call", async () => {
  strictEqual((await output({ script: "pwd", cwd: "/usr" })).stdout, "/usr\n");
  strictEqual((await refusal({ script: "pwd", cwd: "/etc/passwd" })).code, "CWD_NOT_A_FOLDER");
});

Deno.test("bash-script runs with the variables of the call, whose HOME is the ~ of its folder", async () => {
  const env = { HOME: "/usr", NAME: "Ada" };
  const { stdout } = await output({ script: "pwd; echo $NAME", env, cwd: "~/bin" });
  strictEqual(stdout, "/usr/bin\nAda\n");
});

Deno.test("bash-script reports what to install if there is no bash", async () => {
  const { code, message } = await refusal({ script: "true" }, { env: { PATH: "/nowhere" } });
  strictEqual(code, "INTERPRETER_MISSING");
  strictEqual(
    message,
    "Cannot run a Bash script: no bash on the server's PATH; install it with: apt-get install bash",
  );
});

Deno.test("bash-script ends a background process that keeps the output open, and reports it", async () => {
  const { stdout, backgroundEnded } = await output({ script: "sleep 300 & echo done" });
  deepStrictEqual([stdout, backgroundEnded], ["done\n", 1]);
});

Deno.test("bash-script runs nothing if the temporary folder can't be used", async () => {
  await using folder = await createTempFolder();
  for (const name of ["missing", "file"]) {
    const temp = `${folder.path}/${name}`;
    if (name === "file") await Deno.writeTextFile(temp, "");
    const env = { ...Deno.env.toObject(), TMPDIR: temp };
    const { code, message } = await refusal({ script: `echo ran > ${folder.path}/ran` }, { env });
    strictEqual(code, "TEMP_FOLDER_UNUSABLE");
    strictEqual(
      message.startsWith(`Cannot use the temporary folder "${temp}": it `),
      true,
      message,
    );
  }
  deepStrictEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), ["file"]);
});

Deno.test("bash-script returns the result of a script while a program still writes to its folder", async () => {
  const script = `cd "$(dirname "$0")"
(while :; do mkdir -p a/b/c && : > a/b/c/$RANDOM; done) > /dev/null 2>&1 < /dev/null &
sleep 0.1; echo $!`;
  const { stdout, exitCode } = await output({ script });
  match(String(stdout), /^\d+\n$/);
  Deno.kill(Number(stdout), "SIGKILL");
  strictEqual(exitCode, 0);
});

Deno.test("bash-script rejects half of a surrogate pair, and passes a NUL unchanged", async () => {
  for (const args of [{ script: "echo \ud800" }, { script: "cat", stdin: "ab\udc00" }]) {
    const { kind, message } = await refusal(args);
    strictEqual(kind, "INVALID_ARGUMENTS");
    match(message, /must not contain half of a surrogate pair, as at index [25]/);
  }
  strictEqual((await output({ script: "cat", stdin: "a\0\u{1f600}" })).stdout, "a\0\u{1f600}");
});

Deno.test("bash-script reads no startup file in the working or the temporary folder", async () => {
  await using folder = await createTempFolder();
  for (const name of [".bashrc", ".bash_profile", ".profile", ".bash_login"]) {
    await Deno.writeTextFile(`${folder.path}/${name}`, "echo PLANTED");
  }
  const env = { ...Deno.env.toObject(), TMPDIR: folder.path };
  strictEqual((await output({ script: "echo 1", cwd: folder.path }, { env })).stdout, "1\n");
});
