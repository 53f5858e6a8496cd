import { deepStrictEqual } from "node:assert/strict";
import { createRouteFinder } from "./http_server.ts";

const find = createRouteFinder(
  new Map([
    ["/jobs", "list"],
    ["/jobs/{id}", "job"],
    ["/jobs/all", "all"],
    ["/jobs/{id}/stdout", "stdout"],
  ]),
);

const PATHS: readonly [path: string, route: string | undefined, id: string | undefined][] = [
  ["/jobs", "list", undefined],
  ["/jobs/all", "all", undefined],
  ["/jobs/7", "job", "7"],
  ["/jobs/stdout", "job", "stdout"],
  ["/jobs/7/stdout", "stdout", "7"],
  ["/jobs/{id}", "job", "{id}"],
  ["/jobs/{id}/stdout", "stdout", "{id}"],
  ["/jobs/a%2Fb", "job", "a%2Fb"],
  ["/jobs/", undefined, undefined],
  ["/jobs//stdout", undefined, undefined],
  ["/jobs/7/", undefined, undefined],
  ["/jobs/7/8/stdout", undefined, undefined],
  ["/jobs/7/stdout/", undefined, undefined],
  ["/job", undefined, undefined],
  ["", undefined, undefined],
];

for (const [path, route, id] of PATHS) {
  Deno.test(`createRouteFinder() finds ${route ?? "nothing"} for "${path}"`, () => {
    const found = find(path);
    deepStrictEqual([found.route, found.id], [route, id]);
  });
}
