import { expect } from "../checks.ts";
import { MOST_BODY_BYTES, MOST_CONNECTIONS } from "../server/soak_server.ts";
import type { CallSite } from "../tally.ts";
import { shell } from "./api_job.ts";
import { oneAtATime, pause } from "../waiting.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";

const SITE: CallSite = { transport: "HTTP API, floods", server: "http" };
const CALLS = 120;
const LOGINS = 40;

/** Too much of something at once; one flood at a time, because each takes the client's time, too. */
export function floodScenarios(parts: ScenarioParts): Scenario[] {
  const floods = { calls, connections, logins, largeBody, deepBody };
  const alone = oneAtATime(async (run: typeof calls, one: ScenarioRun) => {
    await run(parts, one);
    parts.tally.event("floods");
  });
  return Object.entries(floods).map(([name, run]) => ({
    name: `flood of ${name}`,
    run: (one) => alone(run, one),
  }));
}

/** More calls at once than may run and wait: each is answered, or refused as busy. */
async function calls({ api, tally, pressure }: ScenarioParts, { id }: ScenarioRun): Promise<void> {
  using _flood = pressure.begin("permits");
  using client = Deno.createHttpClient({});
  const { stdin: _stdin, ...call } = shell(`echo ${id}`);
  await Promise.all(Array.from({ length: CALLS }, async () => {
    const { status, headers, body } = await api.post(call, { client });
    if (status === 429) {
      expect(headers.has("retry-after"), "when to try again", body);
      return tally.refused(SITE, "BUSY", true);
    }
    expect(JSON.stringify(body).includes(`"stdout":"${id}\\n"`), "an echo", body);
    tally.answered(SITE);
  }));
}

/** More connections than the server has, which send nothing, or a part of a request. */
async function connections(
  { api, pressure }: ScenarioParts,
  { random }: ScenarioRun,
): Promise<void> {
  using _flood = pressure.begin("connections");
  const { hostname, port } = new URL(api.url);
  const open: Deno.TcpConn[] = [];
  try {
    for (let count = 0; count < MOST_CONNECTIONS + 50; count++) {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      open.push(connection);
      if (count % 2 === 0) await connection.write(new TextEncoder().encode("GET /api"));
    }
    await pause(random.below(500));
  } finally {
    for (const connection of open) connection.close();
  }
  await untilAnswered(api);
}

/** The server has closed what the clients have, and serves others again. */
async function untilAnswered({ ask }: ScenarioParts["api"]): Promise<void> {
  const { status } = await ask("/healthz");
  expect(status === 200, "a server that serves", status);
}

async function logins({ api, tally }: ScenarioParts): Promise<void> {
  using client = Deno.createHttpClient({});
  await Promise.all(Array.from({ length: LOGINS }, async (_, at) => {
    const { status } = await api.ask("/api/tools", { caller: `nobody-${at}`, client });
    expect(status === 401, "a refused login", status);
    tally.rejected("UNAUTHORIZED");
  }));
}

/** The server may close the connection before it has read what it does not take. */
async function largeBody({ api, tally }: ScenarioParts): Promise<void> {
  const call = shell(`echo ${"x".repeat(MOST_BODY_BYTES)}`);
  const status = await api.post(call).then(({ status }) => status, () => 413);
  expect(status === 413 || status === 408, "a refused body", status);
  tally.rejected("CONTENT_TOO_LARGE");
}

async function deepBody({ api, tally }: ScenarioParts): Promise<void> {
  const depth = 100_000;
  const body = `{"tool":"exec-command","args":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const headers = { "content-type": "application/json" };
  const { status, body: problem } = await api.ask("/api", { method: "POST", headers, body });
  expect(status === 400 || status === 422, "a refused body", problem);
  if (status === 422) tally.refused(SITE, "INVALID_ARGUMENTS", true);
  else tally.rejected(String(problem.code));
}
