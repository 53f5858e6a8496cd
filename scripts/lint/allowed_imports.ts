/** What one layer may import, besides its own files. */
export interface Layer {
  /** Layers of the same component, and entries of other packages by name. */
  readonly to: readonly string[];
  /** Makes the layer pure: it uses no `Deno` and imports only these packages. */
  readonly pure?: readonly string[];
}

/**
 * Every import between layers, by component and layer; a test keeps the table free of unused ones.
 * A layer is a folder of the component, or a file at its root without the ending; `*` covers every
 * file that has no row of its own.
 */
export const ALLOWED_IMPORTS: Readonly<Record<string, Readonly<Record<string, Layer>>>> = {
  mcp_server: {
    main: { to: ["access", "app", "serve", "settings", "shared", "tool", "version"] },
    app: {
      to: [
        "access",
        "calls",
        "fleet",
        "jobs",
        "jobs/sqlite",
        "run",
        "settings",
        "shared",
        "tool",
        "tool/loading",
        "version",
      ],
    },
    mod: { to: ["access", "app", "serve", "settings", "shared", "tool"] },
    ending: { to: ["shared", "tool"], pure: [] },
    version: { to: [], pure: [] },
    serve: { to: ["access", "api", "app", "http", "mcp", "settings", "shared", "version"] },
    api: { to: ["access", "http", "shared", "tool"] },
    mcp: { to: ["access", "http", "shared", "tool"] },
    http: { to: ["access", "settings", "shared", "tool"] },
    fleet: { to: ["jobs", "shared", "tool"] },
    "jobs/sqlite": { to: ["jobs", "shared", "tool"] },
    jobs: { to: ["access", "calls", "run", "shared", "tool"] },
    calls: { to: ["access", "run", "shared", "tool"] },
    run: { to: ["access", "shared", "tool"] },
    "tool/loading": { to: ["shared", "tool"] },
    settings: { to: ["access", "shared", "tool"], pure: ["node:path", "node:util"] },
    access: { to: ["shared"] },
    files: { to: ["access", "files/walk", "shared", "tool"] },
    "files/walk": { to: ["shared"] },
    toolkit: {
      to: [
        "access",
        "files",
        "files/walk",
        "shared",
        "tool",
        "toolkit/files",
        "toolkit/sql",
        "toolkit/sql/schema",
        "toolkit/ssh",
      ],
    },
    "toolkit/files": { to: ["access", "files", "files/walk", "shared", "tool"] },
    "toolkit/sql/schema": { to: ["access", "shared", "toolkit/sql"] },
    "toolkit/sql": { to: ["access", "shared", "tool"] },
    "toolkit/ssh": { to: ["access", "files", "shared", "tool", "toolkit/files"] },
    tool: { to: ["access", "shared"], pure: ["zod"] },
    shared: { to: [] },
  },
  console: {
    main: { to: ["App", "jsx_children"], pure: ["vue"] },
    App: { to: ["pages", "components", "composables"], pure: ["vue"] },
    pages: {
      to: ["forms", "metrics", "components", "composables", "api", "schema", "@trestle/mcp-server"],
      pure: ["vue"],
    },
    forms: { to: ["components", "schema", "@trestle/mcp-server"], pure: ["vue"] },
    metrics: { to: ["composables", "api"], pure: ["vue"] },
    components: {
      to: [
        "composables",
        "schema",
        "terminal",
        "@trestle/mcp-server",
        "@trestle/mcp-server/ending",
      ],
      pure: ["vue"],
    },
    composables: {
      to: ["api", "schema", "terminal", "@trestle/mcp-server", "@trestle/mcp-server/ending"],
      pure: ["vue"],
    },
    api: { to: ["@trestle/api-wrapper", "@trestle/mcp-server"], pure: ["axios"] },
    schema: { to: ["@trestle/mcp-server"], pure: [] },
    terminal: { to: [], pure: [] },
    jsx_children: { to: [], pure: ["vue"] },
  },
  tools: {
    "*": { to: ["jobs", "@trestle/mcp-server/toolkit"] },
    jobs: { to: ["@trestle/mcp-server/toolkit"] },
  },
  mirage_graphql: {
    serve: { to: ["serving"] },
    serving: {
      to: [
        "common_conventions",
        "mock_executor",
        "graphql_versions",
        "seeding",
        "dialects",
        "schema",
        "orm",
        "names",
        "deadline",
        "execution",
        "http",
        "streams",
      ],
    },
    seeds: { to: ["seeding", "schema", "orm"], pure: ["graphql", "miragejs"] },
    seeding: {
      to: ["arguments", "names", "schema", "orm", "values"],
      pure: ["@faker-js/faker", "@faker-js/faker/locale/en", "graphql"],
    },
    mod: { to: ["common_functions", "core"], pure: [] },
    core: {
      to: [
        "dialects",
        "handler",
        "fetch_handler",
        "graphql_subscriptions",
        "mock_executor",
        "schema",
        "resolvers",
        "relay",
        "orm",
        "mock",
        "execution",
        "http",
        "intercept",
        "streams",
      ],
      pure: [],
    },
    fetch_handler: { to: ["mock_executor", "schema", "orm", "http"] },
    ws: { to: ["websocket_handler", "websocket_interceptor", "intercept", "streams"], pure: [] },
    websocket_interceptor: {
      to: [
        "common_conventions",
        "mock_executor",
        "schema",
        "orm",
        "mock",
        "execution",
        "intercept",
        "streams",
      ],
      pure: [],
    },
    websocket_handler: {
      to: ["common_conventions", "mock_executor", "schema", "orm", "streams"],
      pure: [],
    },
    handler: { to: ["mock_executor", "schema", "orm", "http"], pure: [] },
    mock: {
      to: [
        "fetch_handler",
        "handler",
        "mock_executor",
        "orm",
        "schema",
        "execution",
        "http",
        "streams",
      ],
      pure: ["miragejs"],
    },
    every_dialect: {
      to: ["arguments", "dialects", "fields", "mutations/by_dialect", "resolvers"],
      pure: [],
    },
    common_conventions: { to: ["dialects", "every_dialect"], pure: [] },
    common_functions: { to: ["common_conventions", "core"], pure: [] },
    mock_executor: {
      to: ["dialects", "schema", "query_plan", "resolvers", "orm", "execution"],
      pure: [],
    },
    graphql_subscriptions: {
      to: ["mock_executor", "schema", "orm", "execution", "streams"],
      pure: [],
    },
    schema: { to: [], pure: ["@graphql-tools/schema", "graphql"] },
    deadline: { to: [], pure: [] },
    file_url: { to: [], pure: [] },
    values: { to: [], pure: [] },
    query_plan: {
      to: ["arguments", "fields", "graphql_versions", "orm", "selection", "values", "execution"],
      pure: ["graphql"],
    },
    resolvers: {
      to: ["arguments", "dialects", "fields", "mutations", "names", "orm", "schema", "values"],
      pure: ["graphql"],
    },
    "mutations/by_dialect": {
      to: [
        "arguments",
        "dialects",
        "graphql_versions",
        "mutations",
        "names",
        "orm",
        "schema",
        "values",
      ],
      pure: ["graphql"],
    },
    mutations: {
      to: ["arguments", "dialects", "names", "orm", "relay", "schema", "values"],
      pure: ["graphql"],
    },
    fields: {
      to: ["arguments", "dialects", "names", "orm", "relay", "schema", "selection", "values"],
      pure: ["graphql"],
    },
    arguments: {
      to: [
        "dialects",
        "graphql_versions",
        "names",
        "orm",
        "relay",
        "schema",
        "selection",
        "values",
      ],
      pure: ["graphql"],
    },
    relay: { to: [], pure: [] },
    orm: {
      to: ["dialects", "file_url", "names", "relay", "schema", "values"],
      pure: ["graphql", "miragejs"],
    },
    dialects: { to: ["relay"], pure: [] },
    selection: { to: ["graphql_versions"], pure: ["graphql"] },
    graphql_versions: { to: [], pure: ["graphql"] },
    names: { to: [], pure: [] },
    intercept: { to: ["deadline", "http", "streams", "execution"], pure: ["miragejs"] },
    http: { to: ["file_url", "streams", "execution"], pure: ["graphql", "miragejs"] },
    streams: {
      to: ["deadline", "execution", "schema", "selection"],
      pure: ["graphql", "graphql-ws"],
    },
    execution: {
      to: ["deadline", "schema", "values", "graphql_versions", "selection"],
      pure: ["@graphql-typed-document-node/core", "graphql"],
    },
  },
  api_wrapper: {
    mod: { to: ["core", "use_api"], pure: [] },
    core: { to: ["api", "pending_requests"], pure: [] },
    use_api: { to: ["pending_requests"], pure: ["vue"] },
    api: {
      to: ["pending_requests", "join_url"],
      pure: ["axios"],
    },
    pending_requests: { to: [], pure: [] },
    join_url: { to: [], pure: [] },
  },
};
