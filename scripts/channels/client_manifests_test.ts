import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Ajv, type ValidateFunction } from "ajv";
import { BUILT_IN_TOOLS } from "../../mcp_server/testing/built_in_tools.ts";
import { serverCommand } from "../../mcp_server/testing/server_process.ts";
import { connectOverStdio } from "../../mcp_server/testing/mcp_peer.ts";
import { v2Sdk } from "../../mcp_server/testing/v2_client.ts";
import { ROOT } from "../../test_support/root.ts";
import type { TempFolder } from "../../test_support/temp_folder.ts";
import { MCP_NAME } from "../npm/build_server.ts";
import { createRepository } from "../testing/create_repository.ts";
import { raiseVersions } from "../version/raise_versions.ts";
import {
  type ChannelFiles,
  toClaudePlugin,
  toDesktopBundle,
  toGeminiExtension,
  toRegistryEntry,
} from "./client_manifests.ts";
import { readServerFacts } from "./server_facts.ts";
import { readServiceFiles } from "./service_files.ts";

const facts = await readServerFacts(ROOT);

/** Every file of every channel, as they are for a state of the sources. */
async function allFiles(root: string): Promise<Record<string, string>> {
  const facts = await readServerFacts(root);
  const channels: ChannelFiles[] = [
    toRegistryEntry(facts),
    toClaudePlugin(facts),
    toGeminiExtension(facts),
    toDesktopBundle(facts, ""),
    await readServiceFiles(root),
  ];
  return Object.assign({}, ...channels);
}

function parsed(files: ChannelFiles, path: string) {
  return JSON.parse(files[path] ?? "");
}

Deno.test("toRegistryEntry() fits the schema of the MCP Registry", async () => {
  const file = new URL("./testdata/server.schema.json", import.meta.url);
  const schema = JSON.parse(await Deno.readTextFile(file));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid: ValidateFunction = ajv.compile(schema);
  const check = (value: unknown) => Boolean(isValid(value));
  const entry = parsed(toRegistryEntry(facts), "server.json");
  strictEqual(entry.$schema, schema.$id);
  ok(check(entry), ajv.errorsText(isValid.errors));
  ok(!check({ ...entry, description: entry.description.repeat(2) }));
  ok(!check({ ...entry, packages: [{ ...entry.packages[0], transport: undefined }] }));
});

Deno.test("toRegistryEntry() names the npm package as the package names itself", () => {
  const { name, packages: [{ identifier, version }] } = parsed(
    toRegistryEntry(facts),
    "server.json",
  );
  deepStrictEqual([name, identifier, version], [MCP_NAME, facts.name, facts.version]);
});

Deno.test("toClaudePlugin() is a plugin, and a marketplace that has it", () => {
  const files = toClaudePlugin(facts);
  const plugin = parsed(files, ".claude-plugin/plugin.json");
  const { owner, plugins } = parsed(files, ".claude-plugin/marketplace.json");
  match(plugin.name, /^[a-z]+$/);
  deepStrictEqual(
    plugins.map(({ name, source }: { name: string; source: string }) => [name, source]),
    [
      [plugin.name, "./"],
    ],
  );
  ok(owner.name);
});

Deno.test("clients start the server of the manifests, of their version", async () => {
  const servers = [
    parsed(toClaudePlugin(facts), ".mcp.json"),
    parsed(toGeminiExtension(facts), "gemini-extension.json"),
  ].map(({ mcpServers }) => mcpServers.trestle);
  const bundle = parsed(toDesktopBundle(facts, ""), "manifest.json").server.mcp_config;
  const [started, ...others] = [...servers.map(({ args }) => args), bundle.args.slice(1)];
  for (const other of others) deepStrictEqual(other, started);
  const [yes, name, ...args] = started;
  deepStrictEqual([yes, name], ["-y", `${facts.name}@${facts.version}`]);
  const { command: program, args: all, env } = serverCommand({ args });
  await using peer = await connectOverStdio(v2Sdk("2026-07-28"), { program, args: all, env });
  strictEqual((await peer.listTools()).tools.length, BUILT_IN_TOOLS.length);
});

/** The sources of what channels say, in a repository without the rest. */
async function createSources(): Promise<TempFolder> {
  const paths = ["deno.json", "README.md", "CHANGELOG.md", "docs/deploy.md", "docs/install.md"];
  const texts = paths.map(async (path) => {
    return [`mcp_server/${path}`, await Deno.readTextFile(`${ROOT}/mcp_server/${path}`)];
  });
  const files = Object.fromEntries(await Promise.all(texts));
  return await createRepository({ ...files, "deno.json": { workspace: ["./mcp_server"] } });
}

Deno.test("a raised version is in every channel, and nowhere the old one", async () => {
  await using sources = await createSources();
  const raise = { step: "99.88.77", packages: ["mcp_server"], date: "2026-11-27" };
  await raiseVersions(sources.path, raise);
  const before = await allFiles(ROOT);
  const after = await allFiles(sources.path);
  const versioned = Object.keys(before).filter((path) => before[path]?.includes(facts.version));
  deepStrictEqual(versioned.sort(), [
    ".claude-plugin/marketplace.json",
    ".claude-plugin/plugin.json",
    ".mcp.json",
    "Dockerfile",
    "README.md",
    "gemini-extension.json",
    "manifest.json",
    "server.json",
  ]);
  for (const path of versioned) {
    strictEqual(after[path], before[path]?.replaceAll(facts.version, raise.step), path);
  }
});
