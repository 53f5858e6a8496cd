#!/usr/bin/env node
/**
 * The program of the npm package: `npx @trestle/mirage-graphql serve schema.graphql`, or `check`.
 *
 * @module
 */
import process from "node:process";

/** One thing that the program does. */
interface Command {
  /** What it does, for those who see the list of commands. */
  readonly about: string;
  /** Runs it with the arguments after its name; it sets the exit code. */
  readonly run: (args: readonly string[]) => Promise<void>;
}

/** The commands by name. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    about: "serves a mock from a GraphQL schema",
    async run(args) {
      const { runServe } = await import("./serving/run_serve.ts");
      await runServe(args);
    },
  },
  check: {
    about: "says which operations of an app a mock answers",
    async run(args) {
      const { check } = await import("./check.ts");
      process.exitCode = await check(args);
    },
  },
};

/** The usage of the program, without that of its commands. */
function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { about }]) =>
    `  npx @trestle/mirage-graphql ${name} --help  ${about}`
  );
  return ["The commands of Mirage GraphQL, and how each is explained:", "", ...lines].join("\n");
}

const [name, ...args] = process.argv.slice(2);
const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command !== undefined) void command.run(args);
else if (name === "--help" || name === "-h") console.log(usage());
else {
  const problem = name === undefined ? "a command is missing" : "there is no such command";
  console.error(`Cannot run "${name ?? ""}": ${problem}\n\n${usage()}`);
  process.exitCode = 1;
}
