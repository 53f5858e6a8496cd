import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { installPackages, missingPackages } from "./install_services.ts";

const SERVICES = [
  { program: "php", packages: ["php-cli"] },
  { program: "/usr/lib/db/bin/db", packages: ["db", "db-client"] },
];

Deno.test("missingPackages() names the packages of missing programs only", () => {
  deepStrictEqual(missingPackages(SERVICES, () => true), []);
  deepStrictEqual(missingPackages(SERVICES, (program) => program === "php"), ["db", "db-client"]);
  deepStrictEqual(missingPackages(SERVICES, () => false), ["php-cli", "db", "db-client"]);
});

Deno.test("installPackages() installs again, with fresh lists, until that succeeds or has failed 3 times", async () => {
  for (const failures of [0, 2, 3]) {
    const commands: string[] = [];
    let left = failures;
    const isInstalled = await installPackages(["php-cli", "db"], (args) => {
      const command = args.find((arg) => arg === "update" || arg === "install") ?? "";
      commands.push(command);
      const isFailing = command === "install" && left-- > 0;
      return Promise.resolve(isFailing ? 100 : 0);
    });
    strictEqual(isInstalled, failures < 3);
    const attempts = Math.min(failures + 1, 3);
    deepStrictEqual(commands, Array(attempts).fill(["update", "install"]).flat());
  }
});
