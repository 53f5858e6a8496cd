import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { BUILT_IN_TOOLS } from "../../mcp_server/testing/built_in_tools.ts";
import { connectOverStdio } from "../../mcp_server/testing/mcp_peer.ts";
import { requiresSshd, startSshd } from "../../mcp_server/testing/sshd.ts";
import { v2Sdk } from "../../mcp_server/testing/v2_client.ts";
import { ROOT } from "../../test_support/root.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ANY_PROGRAM } from "../compile/testing/compiled_server.ts";
import { NPM_TARGETS } from "../npm/package_manifest.ts";
import { builtPackage } from "../npm/testing/built_package.ts";
import { startRegistry } from "../npm/testing/local_registry.ts";
import { run } from "../npm/testing/server_package.ts";
import { runNpmProgram } from "../npm/run_npm_program.ts";
import { buildRelease } from "./build_release.ts";
import { readServerFacts } from "./server_facts.ts";

const { version } = await readServerFacts(ROOT);

/** The files of each archive, besides the license. */
const ARCHIVES: Readonly<Record<string, readonly string[]>> = {
  "linux.trestle.tar.gz": ["gemini-extension.json"],
  [`trestle-claude-plugin-${version}.tar.gz`]: [
    ".claude-plugin/marketplace.json",
    ".claude-plugin/plugin.json",
    ".mcp.json",
    "README.md",
  ],
  [`trestle-container-${version}.tar.gz`]: ["Dockerfile", "compose.yaml"],
  [`trestle-mcp-${Deno.build.arch}-${version}.tar.gz`]: ["trestle-mcp", "trestle-mcp.service"],
};

Deno.test(requiresSshd("deno task release builds what clients start"), async (t) => {
  await using folder = await createTempFolder();
  const release = `${folder.path}/release`;
  const home = `${folder.path}/home`;
  await Deno.mkdir(home);
  await using stack = new AsyncDisposableStack();
  const packages: string[] = [];
  for (const member of ["mcp_server", ...NPM_TARGETS.map((target) => target.folder)]) {
    packages.push(stack.use(await builtPackage(member)).tarball);
  }
  const sizes = await buildRelease({
    root: ROOT,
    folder: release,
    architectures: ["x86_64", "aarch64"],
    basePath: ANY_PROGRAM,
    packages,
  });
  strictEqual(Object.keys(sizes).filter((name) => name.endsWith(".tgz")).length, packages.length);

  await t.step("the checksums are those of all files, which are small", async () => {
    const names = (await Array.fromAsync(Deno.readDir(release))).map(({ name }) => name);
    deepStrictEqual(names.filter((name) => name !== "SHA256SUMS").sort(), Object.keys(sizes));
    await run("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], release);
    for (const [name, size] of Object.entries(sizes)) ok(size < 3_000_000, `${name}: ${size}`);
  });

  for (const [name, files] of Object.entries(ARCHIVES)) {
    await t.step(`${name} has what it is for, and the license`, async () => {
      const list = await run("tar", ["-tf", `${release}/${name}`], release);
      const found = list.split("\n").filter((path) => /[^/]$/.test(path));
      deepStrictEqual(found.sort(), ["LICENSE", ...files].map((path) => `./${path}`).sort());
    });
  }

  const tarball = `${release}/trestle-mcp-server-${version}.tgz`;
  await run("tar", ["-xf", tarball], home);
  await using registry = await startRegistry({ folder: `${home}/package`, tarball });
  const npm = { npm_config_cache: `${home}/npm`, npm_config_registry: registry.url };
  const env = { HOME: home, ...npm, DATABASE_URL: "", PGHOST: "" };
  const countTools = async (program: string, args: string[], more: Record<string, string> = {}) => {
    const started = { program, args, env: { ...env, ...more } };
    await using peer = await connectOverStdio(v2Sdk("2026-07-28"), started);
    return (await peer.listTools()).tools.length;
  };

  await t.step("what the plugin of Claude Code starts serves its client", async () => {
    const plugin = `${folder.path}/plugin`;
    await Deno.mkdir(plugin);
    const name = `trestle-claude-plugin-${version}.tar.gz`;
    await run("tar", ["-xf", `${release}/${name}`, "-C", plugin], release);
    const text = await Deno.readTextFile(`${plugin}/.mcp.json`);
    const { command, args } = JSON.parse(text).mcpServers.trestle;
    strictEqual(await countTools(command, args), BUILT_IN_TOOLS.length);
  });

  const bundle = `${folder.path}/bundle`;
  const mcpb = { name: "@anthropic-ai/mcpb", program: "mcpb" };
  await runNpmProgram(mcpb, ["unpack", `${release}/trestle-${version}.mcpb`, bundle]);
  const { server: { mcp_config } } = JSON.parse(
    await Deno.readTextFile(`${bundle}/manifest.json`),
  );
  const [starter, ...rest]: string[] = mcp_config.args;
  const bundled = [starter?.replace("${__dirname}", bundle) ?? "", ...rest];

  await t.step("its program validates the bundle for Claude Desktop", async () => {
    const { success, output } = await runNpmProgram(mcpb, ["validate", `${bundle}/manifest.json`]);
    ok(success, output);
    match(output, /validation passes/);
  });

  await t.step("the bundle starts the server on this machine", async () => {
    const host = { TRESTLE_HOST: "" };
    strictEqual(await countTools(mcp_config.command, bundled, host), BUILT_IN_TOOLS.length);
  });

  await t.step("the bundle starts the server on another host, by SSH", async () => {
    const settings = { ...npm, MCP_DATA_DIR: `${home}/remote` };
    const remote = Object.entries(settings).map(([name, value]) => `${name}=${value}`).join(" ");
    await using sshd = await startSshd(`Match User root\n  SetEnv ${remote}`);
    // the client's own configuration, which is that of the user who runs the test otherwise
    const config = `${folder.path}/ssh_config`;
    await Deno.writeTextFile(
      config,
      `Host linux\n  HostName ${sshd.host.split(":")[0]}\n  Port ${sshd.port}\n` +
        `  IdentityFile ${sshd.home}/.ssh/id_ed25519\n  BatchMode yes\n` +
        `  UserKnownHostsFile ${sshd.home}/.ssh/known_hosts\n`,
    );
    const programs = `${folder.path}/programs`;
    await Deno.mkdir(programs);
    await Deno.writeTextFile(
      `${programs}/ssh`,
      `#!/bin/sh\nexec /usr/bin/ssh -F '${config}' "$@"\n`,
    );
    await Deno.chmod(`${programs}/ssh`, 0o755);
    const host = { TRESTLE_HOST: "linux", PATH: `${programs}:${Deno.env.get("PATH")}` };
    strictEqual(await countTools(mcp_config.command, bundled, host), BUILT_IN_TOOLS.length);
  });
});
