import type { SharedState } from "../link/shared_state.ts";
import type { Tables } from "../mock/records.ts";
import { REACT_FILES } from "./react_files.ts";
import { VUE_FILES } from "./vue_files.ts";

/** The framework of a copied project. */
export type Framework = "vue" | "react";

/** What a project is made of. */
export interface ProjectInput extends Pick<SharedState, "schema" | "operation" | "resolvers"> {
  readonly framework: Framework;
  /** The records, all of them. */
  readonly tables: Tables;
}

/** The packages of both frameworks, and the versions that the page itself runs with. */
const SHARED_PACKAGES = {
  "@trestle/mirage-graphql": "^0.2.0",
  graphql: "^17.1.0",
  miragejs: "^0.1.48",
};

/** What differs between the frameworks. */
export interface FrameworkFiles {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** The file that starts the app, and its text. */
  readonly main: readonly [path: string, text: string];
  readonly files: Readonly<Record<string, string>>;
}

const FRAMEWORKS: Readonly<Record<Framework, FrameworkFiles>> = {
  vue: VUE_FILES,
  react: REACT_FILES,
};

/**
 * The files of a complete project on Vite: a page that sends the operation to the mock, by path.
 * `npm install` and `npm run dev` start it.
 */
export function projectFiles(input: ProjectInput): Record<string, string> {
  const { framework, schema, operation, resolvers, tables } = input;
  const { dependencies, devDependencies, main: [mainPath, main], files } = FRAMEWORKS[framework];
  return {
    "package.json": json({
      name: "mock-app",
      private: true,
      type: "module",
      scripts: { dev: "vite", build: "vite build", preview: "vite preview" },
      dependencies: { ...SHARED_PACKAGES, ...dependencies },
      devDependencies,
    }),
    "index.html": page(mainPath),
    "README.md": README,
    [mainPath]: main,
    ...files,
    "src/fetch_graphql.js": FETCH_GRAPHQL,
    "src/mocks/mock.js": mockModule(isJson(schema) ? "./schema.json" : "./schema.graphql?raw"),
    [`src/mocks/schema.${isJson(schema) ? "json" : "graphql"}`]: schema,
    "src/mocks/records.json": json(tables),
    "src/mocks/resolvers.js": resolvers === "" ? "export default {};\n" : resolvers,
    "src/operation.graphql": operation === "" ? "{ __typename }\n" : operation,
  };
}

function isJson(schema: string): boolean {
  return schema.trimStart().startsWith("{");
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function page(mainPath: string): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Mock app</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
  </head>
  <body>
    <div id="app"></div>
    <script type="module" src="/${mainPath}"></script>
  </body>
</html>
`;
}

const FETCH_GRAPHQL = `import operations from "./operation.graphql?raw";

/** Sends an operation to \`/graphql\`, as to a real server, and returns its data. */
export async function fetchGraphQL(query = operations, variables = {}) {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables, operationName: firstName(query) }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors.map(({ message }) => message).join("\\n"));
  return data;
}

/** The first operation that has a name: a document may have several. */
function firstName(query) {
  return /\\b(?:query|mutation)\\s+(\\w+)/.exec(query)?.[1];
}
`;

function mockModule(schemaModule: string): string {
  return `import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";
import records from "./records.json";
import resolvers from "./resolvers.js";
import graphQLSchema from "${schemaModule}";

/** Answers \`fetch("/graphql")\` in this page; only development imports it. */
export const server = createServer({
  routes() {
    this.post(
      "/graphql",
      createGraphQLHandler(graphQLSchema, this.schema, {
        conventions: "common",
        unknownArguments: "ignore",
        defaults: "generate",
        resolvers,
      }),
    );
  },
  seeds(server) {
    server.db.loadData(records);
  },
});
`;
}

const README = `# Mock app

A page that queries a mock of your GraphQL schema, in the browser.

\`\`\`sh
npm install
npm run dev
\`\`\`

\`src/mocks\` has the schema, the records and the resolvers; \`src/operation.graphql\` is what the page
sends. A production build has no mock: \`/graphql\` is then your server's.
`;
