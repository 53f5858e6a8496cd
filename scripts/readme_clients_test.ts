import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { BUILT_IN_TOOLS } from "../mcp_server/testing/built_in_tools.ts";
import { serverCommand } from "../mcp_server/testing/server_process.ts";
import { requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import { v2Sdk } from "../mcp_server/testing/v2_client.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";

const PAGE = await Deno.readTextFile(`${ROOT}/mcp_server/docs/clients.md`);

const PARSERS: Readonly<Record<string, (code: string) => unknown>> = {
  json: (code) => JSON.parse(code),
  toml: parseToml,
  yaml: parseYaml,
};

const NPX = ["npx", "-y", "@trestle/mcp-server"];
const URL_OF_SERVER = "http://127.0.0.1:1234/mcp";

/** The configurations of the page. */
const CONFIGS = codeBlocks(PAGE).flatMap(({ language, code, line }) => {
  const parse = PARSERS[language];
  return parse === undefined ? [] : [{ line, language, value: parse(code) }];
});

/** Every object in a value, however deep. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsIn)];
}

/** The command lines in a configuration: a program with its arguments, or both in one list. */
function commandsIn(value: unknown): string[][] {
  return objectsIn(value).flatMap(({ command, cmd = command, args = [] }) =>
    cmd === undefined ? [] : [[cmd, args].flat(2).map(String)]
  );
}

const COMMANDS = CONFIGS.flatMap(({ value }) => commandsIn(value));

Deno.test("docs/clients.md shows how sixteen clients are configured", () => {
  const sections = [...PAGE.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  strictEqual(sections.indexOf("From another machine"), 16);
  for (const { line, value } of CONFIGS) {
    const urls = objectsIn(value).flatMap(({ url, httpUrl, serverUrl, uri }) =>
      [url, httpUrl, serverUrl, uri].filter((each) => each !== undefined)
    );
    const commands = commandsIn(value);
    strictEqual(urls.length + commands.length, 1, `line ${line} leads to one server`);
    for (const url of urls) strictEqual(url, URL_OF_SERVER, `line ${line}`);
    for (const words of commands) ok(words.includes("--stdio"), `line ${line}`);
  }
});

Deno.test("the links of docs/clients.md install the server that its blocks show", () => {
  const links = [...PAGE.matchAll(/\]\(((?:cursor|vscode|goose|lmstudio):[^)]+)\)/g)]
    .map(([, link = ""]) => new URL(link));
  const wanted = { command: "npx", args: [...NPX.slice(1), "--stdio"] };
  const found = Object.fromEntries(links.map(({ protocol, search, searchParams }) => {
    if (protocol === "vscode:") {
      const { name, ...program } = JSON.parse(decodeURIComponent(search.slice(1)));
      return [protocol, [name, program]];
    }
    const config = searchParams.get("config");
    const program = config === null
      ? { command: searchParams.get("cmd"), args: searchParams.getAll("arg") }
      : JSON.parse(atob(config));
    return [protocol, [searchParams.get("id") ?? searchParams.get("name"), program]];
  }));
  const each = ["trestle", wanted];
  deepStrictEqual(found, {
    "cursor:": each,
    "vscode:": each,
    "goose:": each,
    "lmstudio:": each,
  });
});

/** The arguments of the server at the end of a command line. */
function serverArgs(words: readonly string[]): string[] {
  return words.slice(
    words.findIndex((word) => /mcp-server$|main\.ts$|trestle-mcp$/.test(word)) + 1,
  );
}

async function countTools(command: string, args: string[], env: Record<string, string>) {
  const program = { command, args, env: { ...Deno.env.toObject(), ...env }, stderr: "ignore" };
  const client = await v2Sdk("2026-07-28").connectStdio({ ...program, stderr: "ignore" });
  try {
    return (await client.listTools()).tools.length;
  } finally {
    await client.close();
  }
}

Deno.test("what docs/clients.md starts over stdio serves the SDK's client", async (t) => {
  const lines = new Set(COMMANDS.map((words) => serverArgs(words).join(" ")));
  for (const line of lines) {
    await t.step(line, async () => {
      const { command, args, env } = serverCommand({ args: line.split(" ") });
      const count = await countTools(command, args, env);
      strictEqual(count, line.includes("--only") ? 4 : BUILT_IN_TOOLS.length);
    });
  }
});

Deno.test(requiresSshd("what docs/clients.md starts by SSH serves the SDK's client"), async () => {
  const [program, ...args] = COMMANDS.find(([program]) => program === "ssh") ?? [];
  strictEqual(program, "ssh");
  await using sshd = await startSshd();
  const { command, args: own, env } = serverCommand({ args: serverArgs(args) });
  const assignments = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const [host, port = "22"] = sshd.host.split(":");
  const options = [
    ...["-p", port, "-i", `${sshd.home}/.ssh/id_ed25519`],
    ...["-o", `UserKnownHostsFile=${sshd.home}/.ssh/known_hosts`, "-o", "BatchMode=yes"],
  ];
  const remote = ["env", ...assignments, `'${command}'`, ...own];
  strictEqual(args[0], "-T");
  const count = await countTools("ssh", ["-T", ...options, String(host), ...remote], {});
  strictEqual(count, BUILT_IN_TOOLS.length);
});
