import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { Questions } from "./questions.ts";

const NAME = {
  message: "What is your name?",
  schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

Deno.test("Questions: a key is used for one question only, and unknown keys are ignored", async () => {
  const questions = new Questions();
  const first = questions.ask(NAME);
  const [key = ""] = Object.keys(questions.shown);
  questions.answer({ other: { action: "accept", content: {} }, [key]: { action: "decline" } });
  deepStrictEqual(await first, { action: "decline" });
  strictEqual(questions.areOpen, false);

  const second = questions.ask(NAME);
  questions.answer({ [key]: { action: "accept", content: { name: "too late" } } });
  const [next = ""] = Object.keys(questions.shown);
  strictEqual(next === key, false);
  questions.answer({ [next]: { action: "accept", content: { name: "Ada" } } });
  deepStrictEqual(await second, { action: "accept", content: { name: "Ada" } });
});

Deno.test("Questions: what is no reply leaves its question open", () => {
  const questions = new Questions();
  void questions.ask(NAME);
  const [key = ""] = Object.keys(questions.shown);
  for (const reply of [undefined, null, "yes", {}, { action: "maybe" }]) {
    questions.answer({ [key]: reply });
    deepStrictEqual(Object.keys(questions.shown), [key]);
  }
});

Deno.test("Questions.ask() rejects a schema that is no form", async () => {
  const schema = { type: "object", properties: { list: { type: "object", properties: {} } } };
  await rejects(new Questions().ask({ message: "?", schema }), TypeError);
});
