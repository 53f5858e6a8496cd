/** Prints the errors and warnings that OpenAPI linters find in `openapi.json`. */
export const LINT = `
import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const source = readFileSync("openapi.json", "utf8");
const config = await createConfig({ extends: ["recommended"] });
const absoluteRef = process.cwd() + "/openapi.json";
const redocly = await lintFromString({ source, config, absoluteRef });
const spectral = new spectralCore.Spectral();
spectral.setRuleset(rulesets.oas);
const found = await spectral.run(JSON.parse(source));
console.log(JSON.stringify([
  ...redocly.map(({ ruleId }) => ["redocly", ruleId]),
  ...found.map(({ code }) => ["spectral", code]),
]));
`;

/** Compiles the schemas of `tools.json` and prints how many there are, and which have faults. */
export const STRICT_SCHEMAS = `
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const { tools } = JSON.parse(readFileSync("tools.json", "utf8"));
const schemas = tools.flatMap(({ name, inputSchema, outputSchema }) => [
  [name + " input", inputSchema],
  [name + " output", outputSchema],
]);
const faults = [];
for (const [name, schema] of schemas) {
  try {
    new Ajv2020({ strict: true, validateSchema: true }).compile(schema);
  } catch (error) {
    faults.push(name + ": " + error.message);
  }
}
console.log(JSON.stringify({ compiled: schemas.length - faults.length, faults }));
`;

/** How a client is generated, and a program that calls each operation with it. */
export interface GeneratedClient {
  readonly generator: string;
  /** Generates the client from `openapi.json`, in Node. */
  readonly generate: string;
  readonly file: string;
  /** The program; lines that must not compile are marked. */
  readonly program: (url: string, token: string) => string;
}

/** Clients of the most popular generators. */
export const CLIENTS: readonly GeneratedClient[] = [{
  generator: "openapi-typescript with openapi-fetch",
  generate: `
import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

writeFileSync("schema.ts", astToString(await openapiTS(new URL("openapi.json", import.meta.url))));
`,
  file: "fetch_client.ts",
  program: (url, token) => `
import createClient from "openapi-fetch";
import type { paths } from "./schema";

const client = createClient<paths>({
  baseUrl: "${url}",
  headers: { authorization: "Bearer ${token}" },
});
const ran = await client.POST("/api", {
  body: { tool: "bash-script", args: { script: "echo hello" } },
});
if (ran.data === undefined || typeof ran.data === "string" || !("stdout" in ran.data)) {
  throw new Error(ran.error?.detail);
}
const stdout: string = ran.data.stdout;
// @ts-expect-error The arguments that a tool requires are required here too.
const refused = await client.POST("/api", { body: { tool: "bash-script" } });
const code: string | undefined = refused.error?.code;
const listed = await client.GET("/api/tools");
const names: string[] = listed.data?.tools.map(({ name }) => name) ?? [];
const health = await client.GET("/healthz", { parseAs: "text" });
const started = await client.POST("/api", {
  params: { header: { Prefer: "respond-async" } },
  body: { tool: "bash-script", args: { script: "read line" }, stdin: true },
});
if (typeof started.data !== "object" || !("id" in started.data)) throw new Error("no job");
const path = { id: String(started.data.id) };
const cancelled = await client.POST("/api/jobs/{id}/cancel", { params: { path } });
const jobs = await client.GET("/api/jobs", { params: { query: { tool: "bash-script", limit: 5 } } });
// @ts-expect-error A state has one of six names.
await client.GET("/api/jobs", { params: { query: { state: "walking" } } });
const isSame: boolean = jobs.data?.jobs[0]?.id === cancelled.data?.id;
console.log(JSON.stringify({
  stdout,
  refused: code,
  tools: names.length,
  health: health.data,
  isSame,
}));
`,
}, {
  generator: "@hey-api/openapi-ts",
  generate: `
import { createClient } from "@hey-api/openapi-ts";

await createClient({ input: "openapi.json", output: "hey", logs: { level: "silent" } });
`,
  file: "hey_client.ts",
  program: (url, token) => `
import { callTool, cancelJob, health, listJobs, listTools } from "./hey";
import { client } from "./hey/client.gen";

client.setConfig({ baseUrl: "${url}", auth: "${token}" });
const ran = await callTool({ body: { tool: "bash-script", args: { script: "echo hello" } } });
if (ran.data === undefined || typeof ran.data === "string" || !("stdout" in ran.data)) {
  throw new Error(ran.error?.detail);
}
const stdout: string = ran.data.stdout;
// @ts-expect-error The arguments that a tool requires are required here too.
const refused = await callTool({ body: { tool: "bash-script" } });
const code: string | undefined = refused.error?.code;
const listed = await listTools();
const names: string[] = listed.data?.tools.map(({ name }) => name) ?? [];
const answered = await health({ parseAs: "text" });
const started = await callTool({
  headers: { Prefer: "respond-async" },
  body: { tool: "bash-script", args: { script: "read line" }, stdin: true },
});
if (typeof started.data !== "object" || !("id" in started.data)) throw new Error("no job");
const cancelled = await cancelJob({ path: { id: String(started.data.id) } });
const jobs = await listJobs({ query: { tool: "bash-script", limit: 5 } });
// @ts-expect-error A state has one of six names.
await listJobs({ query: { state: "walking" } });
const isSame: boolean = jobs.data?.jobs[0]?.id === cancelled.data?.id;
console.log(JSON.stringify({
  stdout,
  refused: code,
  tools: names.length,
  health: answered.data,
  isSame,
}));
`,
}];
