/** Serves a number of requests in processes that write V8's coverage into a folder. */
export type Flow = (requests: number, coverageFolder: string) => Promise<void>;

const MAIN = new URL("mock_flow_main.ts", import.meta.url).pathname;

/** Sends requests of one kind to a mock in a process of its own. */
function mockFlow(kind: string): Flow {
  return async (requests, coverageFolder) => {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", MAIN, kind, `${requests}`],
      env: { DENO_COVERAGE_DIR: coverageFolder },
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
}

/** The flows of the GraphQL mock. */
export const MOCK_FLOWS: Readonly<Record<string, Flow>> = {
  "a list query": mockFlow("list"),
  "createPerson": mockFlow("create"),
  "Hasura's update_posts": mockFlow("hasura"),
};
