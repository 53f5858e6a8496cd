import { bytesOf } from "../size.ts";
import { benchPeers, HEAP_CALLS, ROUNDS } from "./bench_peers.ts";
import { createLibraries } from "./libraries.ts";
import { rendersOnServer, worksWithoutVue } from "./on_server.ts";

/** The file in `bench/entries` of each library, in the order of the tables. */
const ENTRIES = ["all", "use_axios", "vue_request", "pinia_colada", "vue_query"];
/** The smallest one of each library. */
const SMALLEST = ["core", "use_axios", "vue_request", "pinia_colada", "vue_query"];

/** Prints what the libraries cost and do, as tables for a page. */
export async function printPeers(): Promise<void> {
  const { names, chromium, cpu, heap, behaviors } = await benchPeers();
  console.log(
    `\nIn Chromium ${chromium}, medians of ${ROUNDS} rounds in which the libraries take turns\n`,
  );
  printHead("measured", names);
  printLine("a call, CPU time", cpu.map((micros) => `${micros.toFixed(1)} µs`));
  printLine(
    `heap that a call leaves, over ${HEAP_CALLS.toLocaleString("en")} ids`,
    heap.map((bytes) => `${Math.max(0, Math.round(bytes))} bytes`),
  );
  printLine("added to a page, min + gzip", await Promise.all(ENTRIES.map(inBytes)));
  console.log();
  printHead("tried", names);
  for (const [what, ...holds] of behaviors) printLine(what, holds.map(toWord));
  const onServer = await Promise.all(createLibraries().map(rendersOnServer));
  printLine("a server renders what it has loaded", onServer.map(toWord));
  const without = await Promise.all(SMALLEST.map(worksWithoutVue));
  printLine("modules can be used without Vue", without.map(toWord));
}

async function inBytes(entry: string): Promise<string> {
  return `${(await bytesOf(entry)).toLocaleString("en")} bytes`;
}

function toWord(holds: boolean): string {
  return holds ? "yes" : "no";
}

function printHead(title: string, names: readonly string[]): void {
  printLine(title, names);
  printLine("---", names.map(() => "---"));
}

function printLine(title: string, cells: readonly string[]): void {
  console.log(`| ${[title, ...cells].join(" | ")} |`);
}
