import { ROOT } from "../../../test_support/root.ts";
import { createGraphQL16Copy } from "../../testing/graphql16/graphql16_copy.ts";
import type { Amount, Measured } from "./measure.ts";

/** Longest time that all schemas take. */
const DEADLINE_MS = 1_800_000;

const FOLDER = "bench/reach";

/** What to measure: a family by its name, or a package's schema with its folder. */
export interface MeasureRequest {
  readonly name: string;
  readonly folder?: string;
}

/** Runs the measuring program in a separate process, on the graphql of the repository. */
export async function measureOnGraphQL17(
  requests: readonly MeasureRequest[],
  amount: Amount,
): Promise<Measured[]> {
  return await run(["run", "-A"], `${ROOT}/mirage_graphql`, { requests, amount });
}

/** Runs it on a copy of the component whose packages all use graphql 16. */
export async function measureOnGraphQL16(
  requests: readonly MeasureRequest[],
  amount: Amount,
): Promise<Measured[]> {
  await using copy = await createGraphQL16Copy();
  await copyFolder(`${ROOT}/mirage_graphql/${FOLDER}`, `${copy.folder}/${FOLDER}`);
  const args = ["run", "-A", "--no-check", "--config", copy.config];
  return await run(args, copy.folder, { requests, amount });
}

async function run(
  args: readonly string[],
  component: string,
  input: { readonly requests: readonly MeasureRequest[]; readonly amount: Amount },
): Promise<Measured[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args, `${component}/${FOLDER}/measure_main.ts`],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(input)));
  await writer.close();
  const { success, stdout } = await child.output();
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  if (!success) throw new Error(`Cannot measure: it ended after ${lines.length} schemas`);
  return lines.map((line) => JSON.parse(line));
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const copy = isDirectory ? copyFolder : Deno.copyFile;
    await copy(`${from}/${name}`, `${to}/${name}`);
  }
}
