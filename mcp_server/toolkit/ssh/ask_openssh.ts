import { messageOf, ToolError } from "../../shared/error.ts";
import type { CommandRunner, OutputEvent } from "../../tool/command.ts";
import type { ConfigValues, Tokens } from "./host_config.ts";
import { SshError, wordsOfHost } from "./ssh2.ts";

/** A host as a call names it. */
export interface ConfigTarget {
  /** The name as it is written: patterns of OpenSSH are case-sensitive. */
  readonly name: string;
  readonly user?: string | undefined;
  readonly port?: number | undefined;
}

/** What OpenSSH is asked with. */
export interface OpenSshParts {
  readonly commands: CommandRunner;
  readonly signal: AbortSignal;
  /** The config to read, or `none`. @default {the user's and the system's} */
  readonly file?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** The answer of `ssh -G`: what differs from a host without a config, and the tokens' values. */
export interface OpenSshAnswer {
  readonly values: ConfigValues;
  readonly tokens: Tokens;
}

/** There is no client that reads a config; why, as the end of a sentence about it. */
export interface NoOpenSsh {
  readonly missing: string;
}

/** `Match exec` and name look-ups are part of the answer. */
const ANSWER_MS = 30_000;
const MOST_CHARACTERS = 1024 * 1024;
/** Tokens whose values only OpenSSH knows; `ControlPath` is the one value that it prints expanded. */
const TOKENS = ["C", "L", "i", "k", "l", "u"] as const;
/** Keywords whose value is a list of files; names may contain spaces. */
const FILE_LISTS = new Set(["userknownhostsfile", "globalknownhostsfile"]);

/**
 * Asks OpenSSH's client what a config says about a host (`ssh -G`). Rejects with an `SshError` of
 * phase `resolve` that has the client's message, and with the signal's reason.
 */
export async function askOpenSsh(
  { name, user, port }: ConfigTarget,
  parts: OpenSshParts,
): Promise<OpenSshAnswer | NoOpenSsh> {
  const answer = await runSsh([
    ...(parts.file === undefined ? [] : ["-F", parts.file]),
    ...(user === undefined ? [] : ["-l", user]),
    ...(port === undefined ? [] : ["-p", String(port)]),
    "-o",
    `ControlPath=${TOKENS.map((letter) => `%${letter}`).join("|")}`,
    "--",
    name,
  ], { name, ...parts });
  return "missing" in answer ? answer : parseAnswer(answer.text);
}

function parseAnswer(text: string): OpenSshAnswer {
  const values = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [, keyword = "", value = ""] = /^(\S+) (.*)$/s.exec(line) ?? [];
    if (keyword === "") continue;
    values.set(keyword, [...values.get(keyword) ?? [], ...toWords(keyword, value)]);
  }
  const expanded = values.get("controlpath")?.[0]?.split("|") ?? [];
  values.delete("controlpath");
  const tokens = Object.fromEntries(TOKENS.map((letter, at) => [letter, expanded[at] ?? ""]));
  return { values, tokens };
}

function toWords(keyword: string, value: string): string[] {
  if (FILE_LISTS.has(keyword)) return value.split(/ (?=[/~])/);
  // It prints the last address in brackets.
  return [keyword === "proxyjump" ? value.replaceAll(/\[([\d.]+)\]/g, "$1") : value];
}

async function runSsh(
  args: readonly string[],
  { name, commands, signal, env }: OpenSshParts & { readonly name: string },
): Promise<{ readonly text: string } | NoOpenSsh> {
  const text = { stdout: "", stderr: "" };
  const onOutput = ({ stream, text: piece }: OutputEvent) => {
    text[stream] = (text[stream] + piece).slice(0, MOST_CHARACTERS);
  };
  // The input is empty, so that the one of a job is left for others.
  const spec = {
    program: "ssh",
    args: ["-T", "-G", ...args],
    env,
    stdin: "",
    timeoutMs: ANSWER_MS,
  };
  const fail = (state: string) =>
    new SshError(`Cannot read the SSH config for "${name}": ${state}`, "resolve");
  try {
    const { exitCode, timedOut } = await commands.run(spec, { signal, onOutput, helper: true });
    if (timedOut) {
      throw fail(`OpenSSH has no answer after ${ANSWER_MS / 1_000} s, see its "Match exec" lines`);
    }
    if (exitCode === 0) return { text: text.stdout };
    const said = wordsOfHost(text.stderr).replaceAll(/\s*\n/g, "; ");
    // A client without an account of its own reads no config at all.
    if (said.startsWith("No user exists for uid")) return { missing: `says: ${said}` };
    throw fail(said === "" ? `ssh -G ended with ${exitCode}` : said);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError && error.code === "PROGRAM_NOT_FOUND") {
      return { missing: "is not found" };
    }
    throw error instanceof SshError ? error : fail(messageOf(error));
  }
}
