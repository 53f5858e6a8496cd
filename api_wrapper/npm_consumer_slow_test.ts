import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { requires } from "../test_support/services.ts";
import { createNpmConsumer, type NpmConsumer, STRICT } from "./testing/npm_consumer.ts";
import { servePostsSite } from "./testing/posts_site.ts";
import { EXPECTED_OUTPUT } from "./testing/expected_output.ts";

const DONE = { code: 0, output: "" };

Deno.test({
  ...requires(
    "node",
    "the npm package: types under nodenext and the recommended set-up, newest peers",
  ),
  fn: async (test) => {
    await using consumer = await createNpmConsumer();
    await test.step("the types are right for ES modules and for CommonJS", async () => {
      deepStrictEqual(await compileTypes(consumer, ["mts", "cts"]), DONE);
    });
    await testExamples(test, consumer);
  },
});

Deno.test({
  ...requires(
    "node",
    "the npm package: types under nodenext and the recommended set-up, oldest peers",
  ),
  fn: async (test) => {
    await using consumer = await createNpmConsumer({ axios: "1.7.0", vue: "3.3.0" });
    await test.step("the types are right for ES modules", async () => {
      deepStrictEqual(await compileTypes(consumer, ["mts"]), DONE);
    });
    await test.step("an instance is accepted in CommonJS", async () => {
      const use = `import axios from "axios";
        import { api, useApi } from "@trestle/api-wrapper";
        export const { data } = useApi(() => api("/posts", axios.create()).get<string>(7));\n`;
      await consumer.write("fits/fits.cts", use);
      await consumer.write("fits/tsconfig.json", JSON.stringify(project(["fits.cts"])));
      deepStrictEqual(await consumer.compile("fits"), DONE);
    });
    await testExamples(test, consumer);
  },
});

Deno.test({
  ...requires(
    "node",
    "the npm package: @trestle/api-wrapper/core loads where Vue is not installed",
  ),
  fn: async () => {
    await using consumer = await createNpmConsumer({ vue: null });
    const use = `const { api, cancelPendingRequests } = await import("@trestle/api-wrapper/core");
      console.log(typeof api, typeof cancelPendingRequests);`;
    deepStrictEqual(await consumer.node("--input-type=module", "-e", use), {
      code: 0,
      output: "function function\n",
    });
  },
});

/** The same source as ES module and as CommonJS, because the package has a type file for each. */
async function compileTypes(consumer: NpmConsumer, endings: readonly string[]) {
  const files = endings.flatMap((ending) =>
    ["same", "inference", "entries"].map((name) => `${name}.${ending}`)
  );
  for (const file of files) {
    const [name = "", ending = ""] = file.split(".");
    const text = await Deno.readTextFile(new URL(`./testdata/types/${name}.ts`, import.meta.url));
    const script = ending.replace("t", "j");
    await consumer.write(`types/${file}`, text.replace(/"(\.\/\w+)\.ts"/g, `"$1.${script}"`));
  }
  await consumer.write("types/tsconfig.json", JSON.stringify(project(files)));
  return await consumer.compile("types");
}

function project(files: readonly string[]) {
  return { compilerOptions: { ...STRICT, noEmit: true }, files };
}

/** Both examples, compiled or checked by `tsc`, then run by Node against a real server. */
async function testExamples(test: Deno.TestContext, consumer: NpmConsumer): Promise<void> {
  await copyFolder(new URL("./examples/", import.meta.url), consumer, "examples");
  await consumer.write("examples/package.json", JSON.stringify({ type: "module" }));
  const options = {
    ...STRICT,
    rewriteRelativeImportExtensions: true,
    allowJs: true,
    checkJs: true,
  };
  await consumer.write(
    "examples/tsconfig.json",
    JSON.stringify({
      compilerOptions: { ...options, rootDir: ".", outDir: "../built" },
      files: ["typescript/main.ts", "javascript/main.js"],
    }),
  );
  await consumer.write("built/package.json", JSON.stringify({ type: "module" }));
  await test.step("the examples compile", async () => {
    deepStrictEqual(await consumer.compile("examples"), DONE);
  });
  for (const main of ["built/typescript/main.js", "examples/javascript/main.js"]) {
    for (const adapter of ["http", "fetch"]) {
      await test.step(`${main} runs on Node, adapter ${adapter}`, async () => {
        await using site = servePostsSite();
        const call = `import { run } from "./${main}";
          console.log(JSON.stringify(await run("${site.url}", "${adapter}")));`;
        const { code, output } = await consumer.node("--input-type=module", "-e", call);
        strictEqual(code, 0, output);
        deepStrictEqual(JSON.parse(output), EXPECTED_OUTPUT);
      });
    }
  }
}

async function copyFolder(from: URL, consumer: NpmConsumer, to: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const target = `${to}/${name}`;
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), consumer, target);
    else await consumer.write(target, await Deno.readTextFile(new URL(name, from)));
  }
}
