#!/usr/bin/env node
/** Starts the tool server with the Deno that npm has installed beside this package. */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const FLAGS = [
  "--allow-all",
  "--quiet",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--node-modules-dir=manual",
  "--unstable-no-legacy-abort",
  // Tools of one's own find the toolkit wherever they are.
  `--import-map=${join(PACKAGE, "import_map.json")}`,
];

function start() {
  const server = join(PACKAGE, "esm/mcp_server/main.js");
  const child = spawn(findDeno(), ["run", ...FLAGS, server, ...process.argv.slice(2)], {
    stdio: "inherit",
    // Ctrl+C reaches this process alone, which passes it on: a second signal would end a drain.
    detached: true,
    // The server stops once this process is gone, however it ended.
    env: { ...process.env, TRESTLE_STARTER: String(process.pid) },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`Cannot start Deno: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}

/** The program of npm's package `deno`, which its install script may have been kept from linking. */
function findDeno() {
  const { platform, arch } = process;
  if (platform !== "linux") {
    fail(
      `Cannot run commands on ${platform}: the tool server runs on Linux. ` +
        "Start it on a Linux host by SSH: ssh -T HOST npx -y @trestle/mcp-server --stdio",
    );
  }
  const name = `@deno/linux-${arch}-glibc`;
  try {
    const manifest = createRequire(import.meta.url).resolve("deno/package.json");
    const linked = join(dirname(manifest), "deno");
    if (existsSync(linked)) return linked;
    return join(dirname(createRequire(manifest).resolve(`${name}/package.json`)), "deno");
  } catch {
    return fail(
      `Cannot find Deno: the package "${name}" is not installed; ` +
        "install again, without --omit=optional",
    );
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

start();
