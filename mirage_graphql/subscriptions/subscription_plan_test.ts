import { deepStrictEqual } from "node:assert/strict";
import { subscriptionNames } from "./subscription_plan.ts";

Deno.test("subscriptionNames() reads a type and what happens to it", () => {
  const cases: [string, string[]][] = [
    ["personCreated", ["person created"]],
    ["personAdded", ["person created"]],
    ["personChanged", ["person updated"]],
    ["personRemoved", ["person deleted"]],
    ["createdPerson", ["person created"]],
    ["onPersonUpdated", ["person updated"]],
    ["onDeletePerson", ["person deleted"]],
    ["on_person_change", ["person updated"]],
    ["PERSON_DELETED", ["person deleted"]],
    ["HTTPLogCreated", ["httplog created"]],
    ["blogPostUpdated", ["blogpost updated"]],
    ["updatedAddedCreated", ["updatedadded created", "addedcreated updated"]],
    ["person2Created", ["person2 created"]],
    ["onCreated", ["on created"]],
    ["createPerson", []],
    ["created", []],
    ["person", []],
    ["onPerson", []],
    ["personUncreated", []],
    ["", []],
  ];
  for (const [name, expected] of cases) {
    const found = subscriptionNames(name).map(({ typeKey, kind }) => `${typeKey} ${kind}`);
    deepStrictEqual(found, expected, name);
  }
});

Deno.test("subscriptionNames() reads new as created, by convention", () => {
  const kinds = (name: string, hasNew: boolean) =>
    subscriptionNames(name, hasNew).map(({ typeKey, kind }) => `${typeKey} ${kind}`);
  deepStrictEqual(kinds("newPerson", false), []);
  deepStrictEqual(kinds("newPerson", true), ["person created"]);
  deepStrictEqual(kinds("new_blog_post", true), ["blogpost created"]);
  deepStrictEqual(kinds("createPerson", true), []);
});
