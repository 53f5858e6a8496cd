/** Starts the server with npx: on this machine, or by SSH on the host that the user has named. */

import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

function start() {
  const [program, ...args] = commandOf(process.env.TRESTLE_HOST ?? "", process.argv.slice(2));
  const child = spawn(program, args, { stdio: "inherit" });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`Cannot start "${program}": ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}

/** The words of a command; a name in braces is what a client puts in place of an empty setting. */
function commandOf(host, npxArgs) {
  if (host !== "" && !host.startsWith("${")) return ["ssh", "-T", "--", host, "npx", ...npxArgs];
  if (process.platform === "linux") return ["npx", ...npxArgs];
  return fail(
    `Cannot run commands on ${process.platform}: the tool server runs on Linux. ` +
      "Set the Linux host, which ssh logs in to without a question",
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

start();
