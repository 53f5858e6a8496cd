import { startPostgres } from "../../../testing/postgres.ts";
import { type StorePlace, testJobStore } from "../../../testing/job_store_suite.ts";
import { PostgresFleet } from "./postgres_fleet.ts";

const postgres = await startPostgres();
globalThis.addEventListener("unload", () => postgres.kill());

const identity = { name: "web-1", labels: ["web"], version: "1.2.3", machine: "here" };
const load = () => ({ runs: 0, queue: 0 });
let places = 0;

function createPlace(): Promise<StorePlace> {
  const address = { url: postgres.url(), schema: `jobs_${++places}` };
  return Promise.resolve({
    added: { serverName: identity.name, attempt: 1 },
    open: () => PostgresFleet.open(address, { identity, load }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

testJobStore("PostgresFleet", createPlace);
