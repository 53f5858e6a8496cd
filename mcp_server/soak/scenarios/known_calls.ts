import { firstOf, isSame } from "../checks.ts";
import { hasProgram } from "../../../test_support/services.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { Random } from "../random.ts";
import type { Services } from "../services.ts";

/** A call whose correct answer is known. */
export interface SoakCall {
  readonly tool: string;
  readonly args: object;
  /** Whether an output is correct. */
  readonly isRight: (output: JsonObject) => boolean;
  /** The call runs until it is cancelled. */
  readonly endless?: boolean;
}

/** Creates the next call; the number is unique to it. */
export type CallMaker = (id: number, random: Random) => SoakCall;

/** Calls of the tools that work on the server's own host. */
export function callMakers({ files, endless: sleep }: Services): CallMaker[] {
  return [
    echo,
    several,
    flood,
    secret,
    timedOut,
    (id) => endless(id, sleep),
    ...scripts(),
    (id) => writeFile(id, files),
    (id) => readFile(id, files),
    () => listFiles(files),
    (id) => searchFiles(id, files),
    (id) => tryEdit(id, files),
  ];
}

function echo(id: number): SoakCall {
  const commands = [{ command: `echo ${id}; echo e${id} >&2; exit ${id % 7}` }];
  return {
    tool: "exec-command",
    args: { commands },
    isRight: (output) =>
      isSame(output, {
        results: [{ stdout: `${id}\n`, stderr: `e${id}\n`, exitCode: id % 7, timedOut: false }],
      }),
  };
}

function several(id: number): SoakCall {
  const commands = Array.from({ length: 5 }, (_, at) => ({ command: `echo ${id}-${at}` }));
  return {
    tool: "exec-command",
    args: { commands },
    isRight: ({ results }) =>
      Array.isArray(results) && results.length === 5 &&
      results.every((result, at) => isJsonObject(result) && result.stdout === `${id}-${at}\n`),
  };
}

function endless(id: number, sleep: string): SoakCall {
  const commands = [{ command: `echo started; ${sleep}${id} & ${sleep}${id}` }];
  return { tool: "exec-command", args: { commands }, isRight: () => false, endless: true };
}

/** Also ends a flood that would never end. */
function timedOut(id: number): SoakCall {
  const command = id % 2 === 0 ? "echo begun; sleep 100" : "echo begun; yes";
  return {
    tool: "exec-command",
    args: { commands: [{ command }], timeoutMs: 300 },
    isRight: ({ results }) => {
      const { stdout, timedOut } = firstOf(results);
      return timedOut === true && typeof stdout === "string" && /^(begun\n|$)/.test(stdout);
    },
  };
}

function flood(): SoakCall {
  return {
    tool: "exec-command",
    args: { commands: [{ command: "seq 200000" }], maxOutputBytes: 4_096 },
    isRight: (output) => {
      const { stdout, truncated } = firstOf(output.results);
      return truncated === true && typeof stdout === "string" && stdout.startsWith("1\n2\n") &&
        stdout.endsWith("\n199999\n200000\n");
    },
  };
}

/** Writes the value of a secret in two pieces, and in an output of which the middle is left out. */
function secret(id: number): SoakCall {
  const pieces = `printf %s "\${SOAK_TOKEN:0:${id % 36}}"; sleep 0.01; ` +
    `echo "\${SOAK_TOKEN:${id % 36}} ${id}"`;
  const repeated = 'for ((at = 0; at < 2000; at++)); do printf %s "$SOAK_TOKEN"; done';
  return {
    tool: "exec-command",
    args: {
      commands: [{ command: pieces }, { command: repeated }],
      secrets: ["SOAK_TOKEN"],
      maxOutputBytes: 1_024,
    },
    isRight: ({ results }) => {
      const [first, second] = Array.isArray(results) ? results.filter(isJsonObject) : [];
      const shown = String(second?.stdout).replace(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/, "");
      return first?.stdout === `[SOAK_TOKEN] ${id}\n` && second?.truncated === true &&
        /^[\]\[SOAK_TOKEN]+$/.test(shown);
    },
  };
}

function scripts(): CallMaker[] {
  const kinds = [
    ["bash-script", "bash", (id: number) => `echo ${id}`],
    ["python-script", "python3", (id: number) => `print(${id})`],
    ["java-script", "deno", (id: number) => `console.log(${id})`],
    ["php-script", "php", (id: number) => `<?php echo ${id}, "\\n";`],
  ] as const;
  return kinds.filter(([tool, program]) => tool === "java-script" || hasProgram(program)).map((
    [tool, , write],
  ) =>
  (id: number) => ({
    tool,
    args: { script: write(id) },
    isRight: ({ stdout, exitCode }: JsonObject) => stdout === `${id}\n` && exitCode === 0,
  }));
}

/** The number of files that calls read and write again and again. */
const FILES = 16;

function textOf(file: number): string {
  return `file ${file}\n`.repeat(2_000);
}

function writeFile(id: number, folder: string): SoakCall {
  const content = textOf(id % FILES);
  const path = `${folder}/${id % FILES}`;
  return {
    tool: "write-file",
    args: { path, content },
    isRight: (output) => isSame(output, { path, bytesWritten: content.length }),
  };
}

/** Writes leave the old or the new content; here both are the same, so a partial file is wrong. */
function readFile(id: number, folder: string): SoakCall {
  return {
    tool: "read-file",
    args: { path: `${folder}/${id % FILES}` },
    isRight: (output) => {
      const content = textOf(id % FILES);
      return isSame(output, { content, size: content.length });
    },
  };
}

function listFiles(folder: string): SoakCall {
  return {
    tool: "list-files",
    args: { path: folder, glob: "{?,??}" },
    isRight: ({ entries }) => Array.isArray(entries) && entries.length === FILES,
  };
}

function searchFiles(id: number, folder: string): SoakCall {
  const line = `file ${id % FILES}`;
  return {
    tool: "search-files",
    args: { path: folder, glob: "{?,??}", pattern: `^${line}$`, limit: 3 },
    isRight: ({ files, matches }) =>
      typeof files === "number" && Array.isArray(matches) && matches.length === 3 &&
      matches.every((match) => isJsonObject(match) && match.text === line),
  };
}

/** Says what it would change, and leaves the file to the others. */
function tryEdit(id: number, folder: string): SoakCall {
  const path = `${folder}/${id % FILES}`;
  return {
    tool: "edit-file",
    args: { path, edits: [{ old: `file ${id % FILES}\n`, new: "", all: true }], dryRun: true },
    isRight: (output) =>
      output.path === path && output.edits === 1 && typeof output.diff === "string",
  };
}

/** Creates the files that calls read, before any call writes one. */
export async function prepareFiles(folder: string): Promise<void> {
  for (let file = 0; file < FILES; file++) {
    await Deno.writeTextFile(`${folder}/${file}`, textOf(file));
  }
}
