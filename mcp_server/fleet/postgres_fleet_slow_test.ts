import { strictEqual } from "node:assert/strict";
import { codeBlocks } from "../../test_support/markdown.ts";
import { startPostgres } from "../testing/postgres.ts";
import { type StorePlace, testJobStore } from "../testing/job_store_suite.ts";
import { testRunningJobs } from "../testing/running_job_suite.ts";
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
testRunningJobs("PostgresFleet", createPlace);

Deno.test("PostgresFleet knows the names of servers that are gone, until the statement of docs/fleet.md", async () => {
  const page = new URL("../docs/fleet.md", import.meta.url);
  const statement = codeBlocks(await Deno.readTextFile(page))
    .find(({ language }) => language === "sql")?.code ?? "";
  const address = { url: postgres.url(), schema: "trestle" };
  const open = (name: string) =>
    PostgresFleet.open(address, { identity: { ...identity, name, labels: [] }, load });
  const knows = async (route: string) => {
    const fleet = await open("web-1");
    const known = await fleet.hasRoute(route);
    await fleet.close();
    return known;
  };
  await (await open("web-9")).close();
  strictEqual(await knows("name.web-9"), true);
  await postgres.ask(statement);
  strictEqual(await knows("name.web-9"), false);
});
