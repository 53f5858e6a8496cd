import { strictEqual } from "node:assert/strict";
import { latestVersion, withHeading } from "./changelog.ts";

const RELEASE = { version: "0.2.0", date: "2026-11-21" };

const LOGS: readonly [name: string, text: string, result: string][] = [
  [
    "makes the unreleased changes those of the version",
    "# Changelog\n\n## Unreleased\n\nA new tool.\n\n## 0.1.0\n\nFirst.\n",
    "# Changelog\n\n## 0.2.0 (2026-11-21)\n\nA new tool.\n\n## 0.1.0\n\nFirst.\n",
  ],
  [
    "puts the version over the older ones",
    "# Changelog\n\n## 0.1.0\n\nFirst.\n",
    "# Changelog\n\n## 0.2.0 (2026-11-21)\n\n## 0.1.0\n\nFirst.\n",
  ],
  [
    "starts the list of versions",
    "# Changelog\n\nWhat changed.\n",
    "# Changelog\n\nWhat changed.\n\n## 0.2.0 (2026-11-21)\n",
  ],
  ["starts a change log", "", "# Changelog\n\n## 0.2.0 (2026-11-21)\n"],
];

for (const [name, text, result] of LOGS) {
  Deno.test(`withHeading() ${name}`, () => {
    strictEqual(withHeading(text, RELEASE), result);
    strictEqual(latestVersion(result), RELEASE.version);
  });
}

Deno.test("latestVersion() reads the first version, with or without unreleased changes", () => {
  strictEqual(latestVersion("# Changelog\n\n## Unreleased\n\n## 1.2.3\n\n## 1.2.2 (a)\n"), "1.2.3");
  strictEqual(latestVersion("# Changelog\n\n## Unreleased\n"), undefined);
  strictEqual(latestVersion(""), undefined);
});
