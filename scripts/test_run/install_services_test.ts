import { deepStrictEqual } from "node:assert/strict";
import { missingPackages } from "./install_services.ts";

const SERVICES = [
  { program: "php", packages: ["php-cli"] },
  { program: "/usr/lib/db/bin/db", packages: ["db", "db-client"] },
];

Deno.test("missingPackages() names the packages of missing programs only", () => {
  deepStrictEqual(missingPackages(SERVICES, () => true), []);
  deepStrictEqual(missingPackages(SERVICES, (program) => program === "php"), ["db", "db-client"]);
  deepStrictEqual(missingPackages(SERVICES, () => false), ["php-cli", "db", "db-client"]);
});
