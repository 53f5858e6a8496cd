import { deepStrictEqual } from "node:assert/strict";
import { ROOT } from "../test_support/root.ts";
import { benchmarksIn, selectBenchmarks } from "./bench.ts";
import { sourceFiles } from "./source_files.ts";

const BENCHMARKS = benchmarksIn(
  await sourceFiles(ROOT, ["/bench/main.ts", "/bench/peers/main.ts"]),
);

function selected(...names: readonly string[]): string[] {
  return selectBenchmarks(BENCHMARKS, names).map(({ name }) => name);
}

Deno.test("deno task bench without names measures the components, and downloads no other packages", () => {
  deepStrictEqual(selected(), ["api_wrapper", "mcp_server", "mirage_graphql"]);
});

Deno.test("deno task bench with names runs only these, comparisons too", () => {
  deepStrictEqual(selected("mirage_graphql/peers"), ["mirage_graphql/peers"]);
  deepStrictEqual(selected("mcp_server", "api_wrapper"), ["api_wrapper", "mcp_server"]);
});
