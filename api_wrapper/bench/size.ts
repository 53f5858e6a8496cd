import { gzipSync } from "node:zlib";
import { bundle } from "../../test_support/browser/bundle.ts";
import type { Row } from "../../test_support/bench/table.ts";

const ENTRIES: readonly [file: string, what: string, limit?: number][] = [
  ["core", "`api`, `cancelPendingRequests` (`./core`)", 860],
  ["all", "the same and `useApi`", 1260],
  ["schema", "`api` of `./schema`", 1200],
  ["options", "`useApi` of `./options`, `useProgress`", 980],
  ["use_axios", "`useAxios` of @vueuse/integrations"],
  ["vue_request", "`useRequest` of vue-request"],
  ["pinia_colada", "`useQuery`, `PiniaColada` of @pinia/colada, without Pinia"],
  ["vue_query", "`useQuery`, `VueQueryPlugin` of @tanstack/vue-query"],
];

/** Bytes that each entry adds to a page that already has axios and Vue. */
export async function benchSize(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [file, what, limit] of ENTRIES) {
    const target = limit === undefined ? undefined : `at most ${limit}`;
    rows.push({ what: `${what}, min + gzip`, value: `${await bytesOf(file)} bytes`, target });
  }
  return rows;
}

/** Bytes of an entry, minified and compressed, without axios, Pinia and Vue. */
export async function bytesOf(file: string): Promise<number> {
  const entry = new URL(`./entries/${file}.ts`, import.meta.url);
  return gzipSync(await bundle(entry, { minify: true, external: ["axios", "pinia", "vue"] }), {
    level: 9,
  })
    .byteLength;
}
