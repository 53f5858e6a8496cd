import { strictEqual } from "node:assert/strict";
import { mergeMetrics } from "./answers.ts";

const ONE = `# HELP runs Commands that run
# TYPE runs gauge
runs 2

# HELP calls_total Calls
# TYPE calls_total counter
calls_total{tool="a",outcome="ok"} 3
calls_total{tool="b {x} \\"y\\" 1",outcome="ok"} 4 1700000000000
`;
const TWO = `# HELP waits Jobs that wait
# TYPE waits gauge
waits 1

# HELP runs Commands that run
# TYPE runs gauge
runs 0
`;

Deno.test("mergeMetrics() gives each sample its server, and describes each metric once", () => {
  const all = [{ server: "web-1", text: ONE }, { server: "web-2", text: TWO }];
  strictEqual(
    mergeMetrics(all, ["web-3"]),
    `# HELP trestle_up Whether the server has answered with its metrics
# TYPE trestle_up gauge
trestle_up{server="web-1"} 1
trestle_up{server="web-2"} 1
trestle_up{server="web-3"} 0

# HELP runs Commands that run
# TYPE runs gauge
runs{server="web-1"} 2
runs{server="web-2"} 0

# HELP calls_total Calls
# TYPE calls_total counter
calls_total{server="web-1",tool="a",outcome="ok"} 3
calls_total{server="web-1",tool="b {x} \\"y\\" 1",outcome="ok"} 4 1700000000000

# HELP waits Jobs that wait
# TYPE waits gauge
waits{server="web-2"} 1
`,
  );
});

Deno.test("mergeMetrics() describes a metric once for two servers of one name", () => {
  const all = [{ server: "web-1", text: TWO }, { server: "web-1", text: TWO }];
  const lines = mergeMetrics(all).split("\n").filter((line) => line.startsWith("# TYPE waits"));
  strictEqual(lines.length, 1);
});
