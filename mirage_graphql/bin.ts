#!/usr/bin/env node
/**
 * The program of the npm package: `npx @trestle/mirage-graphql serve schema.graphql`.
 *
 * @module
 */
import process from "node:process";
import { runServe } from "./serving/run_serve.ts";

/** The commands by name; each takes the arguments after it. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  serve: runServe,
};

const [name = "", ...args] = process.argv.slice(2);
const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (run === undefined) {
  const names = Object.keys(COMMANDS).join(" and ");
  console.error(`Cannot run the command "${name}": there is ${names}; see ${names} --help`);
  process.exitCode = 1;
} else await run(args);
