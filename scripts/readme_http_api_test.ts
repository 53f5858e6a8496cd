import { deepStrictEqual } from "node:assert/strict";
import * as z from "zod";
import { toOpenApi } from "../mcp_server/api/openapi.ts";
import { tableRows } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";

const Paths = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

Deno.test("mcp_server/docs/http-api.md has a row for each request of /openapi.json", async () => {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/http-api.md`);
  const shown = tableRows(page).flatMap(([request = ""]) =>
    /^`([A-Z]+ \/\S*)`$/.exec(request)?.[1] ?? []
  );
  const described = Object.entries(Paths.parse(toOpenApi([], "1.0.0")).paths).flatMap((
    [path, operations],
  ) =>
    Object.keys(operations).filter((key) => key !== "parameters")
      .map((method) => `${method.toUpperCase()} ${path}`)
  );
  // The page has both streams in one row.
  const missing = described.filter((request) =>
    !shown.includes(request.replace(/stderr$/, "stdout"))
  );
  deepStrictEqual(missing, []);
});
