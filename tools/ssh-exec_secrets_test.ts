import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { CallerSecrets } from "../mcp_server/access/caller_secrets.ts";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import { createSshTool, done } from "../mcp_server/testing/ssh_tool.ts";
import { createUser, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import register from "./ssh-exec.ts";

// Of this run alone, as the process list also has the commands of the tests beside it.
const [KEY_LINE, NUMBER] = [crypto.randomUUID(), crypto.randomUUID()];
const KEY = `-----BEGIN KEY-----\n${KEY_LINE}\n-----END KEY-----\n`;
const TOKEN = `it's "a\\token" ${NUMBER}`;
/** A pattern that matches `text` and not itself, so that the search does not find its own command. */
const pattern = (text: string) => `[${text[0]}]${text.slice(1)}`;

Deno.test({
  ...requiresSshd("ssh-exec passes secrets on by the input, where no process list shows them"),
  fn: async () => {
    await using sshd = await startSshd();
    const folder = `${sshd.folder}/user`;
    await Deno.mkdir(folder);
    await Deno.chmod(folder, 0o777);
    await using user = await createUser("/bin/sh", folder);
    await using tool = await createSshTool(register, { HOME: sshd.home, USER: "root" });
    const secrets = new CallerSecrets(new Map([["TOKEN", TOKEN], ["KEY", KEY]]));
    const events: string[] = [];
    const commands = [
      'printf %s "$TOKEN" > token; printf %s "$KEY" > key; cat',
      'printf %s "${TOKEN%????}"; sleep 0.3; printf "%s|" "${TOKEN#"${TOKEN%????}"}"; echo "$KEY" >&2',
      "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\000' ' ' | " +
      `grep -c '${pattern(NUMBER)}\\|${pattern(KEY_LINE)}'`,
    ];
    const connection = { host: sshd.host, username: user.name, commands, stdin: "in\nput" };
    const [{ results, error } = {}] = await tool.run({
      connections: [{ ...connection, secrets: ["TOKEN", "KEY"] }],
    }, { secrets, onOutput: ({ text }) => void events.push(text) });
    strictEqual(error, undefined);
    deepStrictEqual(results, [
      done("in\nput"),
      done("[TOKEN]|", 0, "[KEY]\n\n"),
      done("0\n", 1),
    ]);
    deepStrictEqual(
      await Promise.all(["token", "key"].map((name) => Deno.readTextFile(`${folder}/${name}`))),
      [TOKEN, KEY],
    );
    const shown = events.join("");
    ok(!shown.includes(NUMBER) && !shown.includes(KEY_LINE), shown);
    match(shown, /\[TOKEN\]/);
    const refused = { ...connection, commands: ["touch ran"], secrets: ["OTHER"] };
    const allowed = { ...connection, commands: ["touch ran"] };
    const { code } = refusalOf(await tool.call({ connections: [allowed, refused] }, { secrets }));
    strictEqual(code, "NOT_ALLOWED");
    strictEqual(await Deno.stat(`${folder}/ran`).then(() => true, () => false), false);
  },
});
