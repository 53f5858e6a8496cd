import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { parse as parseYaml } from "yaml";
import { ROOT } from "../../test_support/root.ts";
import { readServiceFiles, shownFile } from "./service_files.ts";

const PAGE = "# A\n\n```ini\n# /etc/a.service\n[Unit]\n```\n\n```yaml\n# b.yaml\nb: 1\n```\n";

Deno.test("shownFile() takes a file from the page that shows it", () => {
  strictEqual(shownFile(PAGE, "/etc/a.service"), "[Unit]\n");
  strictEqual(shownFile(PAGE, "b.yaml"), "b: 1\n");
  throws(() => shownFile(PAGE, "c.yaml"), {
    name: "RangeError",
    message: 'Cannot find "c.yaml": the page shows no such file',
  });
});

Deno.test("readServiceFiles() has the unit and what a container is built from", async () => {
  const files = await readServiceFiles(ROOT);
  deepStrictEqual(Object.keys(files), ["trestle-mcp.service", "Dockerfile", "compose.yaml"]);
  match(files["trestle-mcp.service"] ?? "", /^\[Unit\]\n/);
  match(files["Dockerfile"] ?? "", /^FROM node:.*\n(.*\n)*USER node\n(.*\n)*HEALTHCHECK /m);
});

Deno.test("the compose file publishes the port on loopback, and has no container without a token", async () => {
  const { services: { trestle } } = parseYaml((await readServiceFiles(ROOT))["compose.yaml"] ?? "");
  deepStrictEqual(trestle.ports, ["127.0.0.1:1234:1234"]);
  match(trestle.environment.MCP_TOKEN, /^\$\{MCP_TOKEN:\?/);
  deepStrictEqual(trestle.cap_drop, ["ALL"]);
});
