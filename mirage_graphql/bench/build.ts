import { buildSchema, printSchema } from "graphql";
import { createServer } from "miragejs";
import { createGraphQLHandler } from "../mod.ts";
import { loadGitHubSchema } from "../testing/github_schema.ts";
import { cpuTimes } from "./cpu_time.ts";

/** A row of the table: a handler for GitHub's schema, compared with graphql-js's schema alone. */
export async function benchBuild(): Promise<string> {
  const text = printSchema(await loadGitHubSchema());
  const times = await cpuTimes({
    ours: () => build(text),
    floor: () => buildSchema(text),
  });
  const ratio = (times.ours / times.floor).toFixed(2);
  return `| handler for GitHub's schema | ${times.ours.toFixed(0)} ms | ${ratio} | 2.5 |`;
}

/** Warnings about ignored parts of the schema are not measured. */
function build(text: string): void {
  const { warn } = console;
  console.warn = () => {};
  const server = createServer({ environment: "test" });
  try {
    createGraphQLHandler(text, server.schema);
  } finally {
    console.warn = warn;
    server.shutdown();
  }
}
