import { deepStrictEqual } from "node:assert/strict";
import { groupOf } from "./tool_group.ts";

Deno.test("groupOf() groups the built-in tools, and leaves the others", () => {
  const names = ["bash-script", "exec-command", "read-file", "list-files", "sql-query", "ssh-copy"];
  deepStrictEqual([...names, "job-wait", "my-profile"].map(groupOf), [
    ...["Commands", "Commands", "Files", "Files", "Databases", "Hosts", "Jobs", "Others"],
  ]);
});
