import { hasProgram } from "../../test_support/services.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import type { Random } from "./random.ts";
import type { Services } from "./services.ts";

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

/** Every kind of call that can be made on this machine. */
export function callMakers(services: Services): readonly [CallMaker, ...CallMaker[]] {
  return [
    echo,
    endless,
    flood,
    ...scripts(),
    (id) => writeFile(id, services.files),
    (id) => readFile(id, services.files),
    (id) => sql(id, "main", ["SELECT ?1 AS a"]),
    ...(services.postgres ? [(id: number) => sql(id, "server", ["SELECT $1::text AS a"])] : []),
    ...(services.sshHost === undefined ? [] : [(id: number) => ssh(id, services.sshHost ?? "")]),
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

function endless(id: number): SoakCall {
  const commands = [{ command: `echo started; sleep 600.${id} & sleep 600.${id}` }];
  return { tool: "exec-command", args: { commands }, isRight: () => false, endless: true };
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
  return {
    tool: "write-file",
    args: { path: `${folder}/${id % FILES}`, content },
    isRight: (output) => isSame(output, { bytesWritten: content.length }),
  };
}

/** Writes leave the old or the new content; here both are the same, so a partial file is wrong. */
function readFile(id: number, folder: string): SoakCall {
  return {
    tool: "read-file",
    args: { path: `${folder}/${id % FILES}` },
    isRight: (output) => isSame(output, { content: textOf(id % FILES) }),
  };
}

function sql(id: number, database: string, queries: readonly string[]): SoakCall {
  return {
    tool: "sql-query",
    args: { batches: [{ database, queries, params: [[`${id}`]] }] },
    isRight: (output) => {
      const { rows } = firstOf(firstOf(output.results).results);
      return isSame(rows, [{ a: `${id}` }]);
    },
  };
}

function ssh(id: number, host: string): SoakCall {
  return {
    tool: "ssh-exec",
    args: { connections: [{ host, commands: [`exec echo ${id}`] }] },
    isRight: (output) =>
      isSame(firstOf(output.results).results, [
        { stdout: `${id}\n`, stderr: "", exitCode: 0, timedOut: false },
      ]),
  };
}

/** Creates the files that calls read, before any call writes one. */
export async function prepareFiles(folder: string): Promise<void> {
  for (let file = 0; file < FILES; file++) {
    await Deno.writeTextFile(`${folder}/${file}`, textOf(file));
  }
}

function firstOf(value: unknown): JsonObject {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isJsonObject(first) ? first : {};
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
