/**
 * Compares the mock with others, which Deno downloads: prints which features work without a
 * resolver, how large they are, and how long requests take. `deno task bench mirage_graphql/peers`
 * runs it; arguments choose requests by a part of their names:
 *
 *     deno run -A --no-lock mirage_graphql/bench/peers/main.ts "list of 1,000"
 */
import { featureTable } from "./features.ts";
import { sizeTable } from "./sizes.ts";
import { speedTable } from "./speed.ts";

for (const row of await featureTable()) console.log(row);
console.log();
for (const row of await sizeTable()) console.log(row);
console.log();
for await (const row of speedTable(Deno.args)) console.log(row);
Deno.exit(0); // what MSW opens when it is imported would keep the process running
