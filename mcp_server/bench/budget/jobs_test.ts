import { ok } from "node:assert/strict";
import { startSession } from "../peers/session.ts";
import { Agent } from "./agent.ts";
import { BUDGET_JOBS } from "./jobs.ts";
import { createPlace } from "./place.ts";

Deno.test("an agent does each of its daily jobs within the budget of its context", async (t) => {
  await using place = await createPlace();
  await using session = await startSession(place.program, "2026-07-28");
  for (const { name, limit, hosts, run } of BUDGET_JOBS) {
    const ignore = hosts === true && place.hosts.length === 0;
    await t.step({
      name: `${name}: ${limit} characters`,
      ignore,
      fn: async () => {
        const agent = new Agent(session);
        await run(agent, place);
        const { characters, calls } = agent.cost;
        ok(characters <= limit, `${name} takes ${characters} characters in ${calls} calls`);
      },
    });
  }
});
