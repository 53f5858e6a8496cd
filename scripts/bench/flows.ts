/**
 * Prints how many files and lines one request runs: `deno task flows`, or `deno task flows job` for
 * the flows whose name has a word, with `--files` for each file. A line counts if, in V8's coverage
 * of five requests, it ran at least four times more often than in that of none; with `--warm`, five
 * more are compared with one, so that what only the first request plans does not count.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ROOT } from "../../test_support/root.ts";
import { type Flow, MOCK_FLOWS } from "./mock_flows.ts";
import { SERVER_FLOWS } from "./server_flows.ts";

const REQUESTS = 5;
/** One of five may have taken another way: the first starts what the others use. */
const RAN_MORE = 4;

/** How often each line of each file ran, by path from the root. */
type LineCounts = ReadonlyMap<string, ReadonlyMap<number, number>>;

async function lineCounts(flow: Flow, requests: number): Promise<LineCounts> {
  await using folder = await createTempFolder();
  await flow(requests, folder.path);
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "coverage",
      "--lcov",
      `--include=^file://${ROOT}/(mirage_graphql|mcp_server|tools)/`,
      "--exclude=/testing/",
      folder.path,
    ],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return parseLcov(new TextDecoder().decode(stdout));
}

/** Reads the records `SF:file` and `DA:line,count` of lcov's format. */
export function parseLcov(text: string): LineCounts {
  const files = new Map<string, Map<number, number>>();
  let lines = new Map<number, number>();
  for (const record of text.split("\n")) {
    const [, file] = /^SF:(.+)$/.exec(record) ?? [];
    if (file !== undefined) files.set(file.replace(`${ROOT}/`, ""), lines = new Map());
    const [, line, count] = /^DA:(\d+),(\d+)/.exec(record) ?? [];
    if (line !== undefined) lines.set(Number(line), Number(count));
  }
  return files;
}

/** Counts the lines of each file that the requests ran. */
export function linesRun(withRequests: LineCounts, without: LineCounts): Map<string, number> {
  const ran = new Map<string, number>();
  for (const [file, lines] of withRequests) {
    const before = without.get(file);
    const more = [...lines].filter(([line, count]) => count - (before?.get(line) ?? 0) >= RAN_MORE);
    if (more.length > 0) ran.set(file, more.length);
  }
  return ran;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      files: { type: "boolean", default: false },
      warm: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const flows = Object.entries({ ...SERVER_FLOWS, ...MOCK_FLOWS })
    .filter(([name]) => positionals.every((word) => name.includes(word)));
  console.log("| one request | files | lines | lines a file |\n| --- | --- | --- | --- |");
  for (const [name, flow] of flows) {
    const before = values.warm ? 1 : 0;
    const counts = await lineCounts(flow, before + REQUESTS);
    const ran = linesRun(counts, await lineCounts(flow, before));
    const lines = [...ran.values()].reduce((sum, count) => sum + count, 0);
    console.log(`| ${name} | ${ran.size} | ${lines} | ${Math.round(lines / ran.size)} |`);
    if (values.files) { for (const [file, count] of ran) console.log(`  ${file} ${count}`); }
  }
}
