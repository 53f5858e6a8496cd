import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { ROOT } from "../../../../test_support/root.ts";
import { projectFiles } from "./project_files.ts";

const INPUT = {
  schema: "type Query { people: [Person!]! } type Person { id: ID! }",
  operation: "query People { people { id } }",
  resolvers: "export default { Query: {} };\n",
  tables: { people: [{ id: "1" }] },
};

for (const framework of ["vue", "react"] as const) {
  Deno.test(`projectFiles() has all that a project with ${framework} needs`, () => {
    const files = projectFiles({ ...INPUT, framework });
    strictEqual(files["src/mocks/schema.graphql"], INPUT.schema);
    strictEqual(files["src/operation.graphql"], INPUT.operation);
    strictEqual(files["src/mocks/resolvers.js"], INPUT.resolvers);
    deepStrictEqual(JSON.parse(files["src/mocks/records.json"] ?? ""), INPUT.tables);
    const main = /src="\/(.+?)"/.exec(files["index.html"] ?? "")?.[1] ?? "";
    match(files[main] ?? "", /import\.meta\.env\.DEV/);
    for (const [path, text] of Object.entries(files)) {
      const imports = text.matchAll(/(?:from |import\()"(\.[^"?]+)/g);
      for (const [, target = ""] of imports) {
        ok(files[new URL(target, `file:///${path}`).pathname.slice(1)] !== undefined, target);
      }
    }
  });
}

Deno.test("projectFiles() uses an introspection as it is, and leaves out what there is none of", () => {
  const schema = '{ "__schema": {} }';
  const files = projectFiles({
    ...{ framework: "vue", schema, operation: "", resolvers: "", tables: {} },
  });
  strictEqual(files["src/mocks/schema.json"], schema);
  match(files["src/mocks/mock.js"] ?? "", /from "\.\/schema\.json"/);
  strictEqual(files["src/operation.graphql"], "{ __typename }\n");
  strictEqual(files["src/mocks/resolvers.js"], "export default {};\n");
});

Deno.test("a project has the versions of the packages that the repository uses", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const files = projectFiles({ ...INPUT, framework: "vue" });
  const { dependencies } = JSON.parse(files["package.json"] ?? "");
  for (const name of ["graphql", "miragejs", "vue"]) {
    strictEqual(`npm:${name}@${dependencies[name]}`, imports[name]);
  }
  const member = JSON.parse(await Deno.readTextFile(`${ROOT}/mirage_graphql/deno.json`));
  strictEqual(dependencies["@trestle/mirage-graphql"], `^${member.version}`);
});
