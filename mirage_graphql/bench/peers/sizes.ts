import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { countedBytes, measureHandler } from "../size.ts";
import { PEERS } from "./packages.ts";

/** What a page imports of each mock to answer GraphQL requests. */
const ENTRIES: Readonly<Record<string, string>> = {
  "@miragejs/graphql": `export { createGraphQLHandler } from "npm:@miragejs/graphql@0.1.13";`,
  "@graphql-tools/mock":
    `export { addMocksToSchema, createMockStore } from "npm:@graphql-tools/mock@9.1.14";`,
  MSW: `export { graphql } from "${PEERS["msw/graphql"]}";
    export { HttpResponse } from "${PEERS.msw}";
    export { setupWorker } from "${PEERS.msw}/browser";`,
  "graphql-jit": `export { compileQuery } from "${PEERS["graphql-jit"]}";`,
};

const DEADLINE_MS = 120_000;

/** The table of bytes that a page loads for each mock, minified and compressed. */
export async function sizeTable(): Promise<readonly string[]> {
  await using temp = await createTempFolder();
  const sizes = [String(await measureHandler("handler"))];
  for (const [name, text] of Object.entries(ENTRIES)) {
    const path = `${temp.path}/entry.ts`;
    await Deno.writeTextFile(path, text);
    sizes.push(String(await bundledBytes(name, path)));
  }
  const names = ["mirage-graphql", ...Object.keys(ENTRIES)];
  return [
    `| bytes, besides graphql and Mirage | ${names.join(" | ")} |`,
    `| --- | ${names.map(() => "---").join(" | ")} |`,
    `| minified and gzipped | ${sizes.join(" | ")} |`,
  ];
}

async function bundledBytes(name: string, path: string): Promise<number> {
  const external = ["graphql", "graphql/*", "miragejs"].map((one) => `--external=${one}`);
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", "--no-lock", "--no-check", "--minify", "--platform=browser"],
      ...external,
      path,
    ],
    stderr: "piped",
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(`Cannot bundle "${name}": ${new TextDecoder().decode(stderr)}`);
  return countedBytes(new TextDecoder().decode(stdout));
}
