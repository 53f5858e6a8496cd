/** The baseline: a JSON echo with nothing around it; the environment may name its port. */
const server = Deno.serve(
  { port: Number(Deno.env.get("MCP_PORT") ?? 0), hostname: "127.0.0.1", onListen: () => {} },
  async (request) => {
    return Response.json(await request.json());
  },
);
console.log(`http://127.0.0.1:${server.addr.port}`);
