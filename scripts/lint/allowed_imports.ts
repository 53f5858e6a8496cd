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
    main: {
      to: ["app", "callers", "serve", "listen", "config", "help", "toolkit", "version", "domain"],
    },
    mod: { to: ["app", "callers", "serve", "config", "domain"] },
    ending: { to: ["domain"], pure: [] },
    serve: {
      to: ["app", "listen", "config", "oauth", "transports", "security", "version", "domain"],
    },
    listen: { to: ["config", "transports", "security", "domain"] },
    app: { to: ["callers", "config", "engine", "security", "version", "domain"] },
    callers: { to: ["security", "domain"] },
    config: { to: ["settings", "security", "domain"], pure: ["node:path", "node:util"] },
    help: { to: ["settings", "domain"], pure: [] },
    settings: { to: ["domain"], pure: [] },
    version: { to: [], pure: [] },
    engine: { to: ["domain"] },
    oauth: { to: ["security", "domain"] },
    transports: { to: ["domain", "security"] },
    security: { to: ["domain"], pure: ["node:buffer", "node:crypto"] },
    toolkit: { to: ["domain"] },
    domain: { to: [], pure: ["zod"] },
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
    "*": { to: ["@trestle/mcp-server/toolkit"] },
  },
  mirage_graphql: {
    serve: { to: ["serving"] },
    serving: {
      to: [
        "mock_executor",
        "fetch_handler",
        "fetch",
        "websocket_handler",
        "request",
        "seeding",
        "conventions",
        "schema",
        "orm",
      ],
    },
    seeds: { to: ["seeding", "schema", "orm"], pure: ["graphql", "miragejs"] },
    seeding: {
      to: ["conventions", "schema", "orm", "values"],
      pure: ["graphql", "@faker-js/faker", "@faker-js/faker/locale/en"],
    },
    mod: {
      to: [
        "handler",
        "fetch_handler",
        "graphql_subscriptions",
        "mock_executor",
        "fetch",
        "interceptor",
        "subscriptions",
        "conventions",
        "schema",
        "request",
        "resolvers",
        "relay",
        "orm",
      ],
      pure: [],
    },
    fetch_handler: { to: ["mock_executor", "fetch", "schema", "request", "orm"] },
    ws: { to: ["websocket_handler", "websocket_interceptor", "websocket"], pure: [] },
    websocket_interceptor: {
      to: ["mock_executor", "websocket", "schema", "request", "orm"],
      pure: [],
    },
    websocket_handler: {
      to: ["mock_executor", "websocket", "schema", "request", "orm"],
      pure: [],
    },
    websocket: { to: ["interceptor", "request", "subscriptions"], pure: ["graphql", "graphql-ws"] },
    handler: { to: ["mock_executor", "schema", "request", "orm"], pure: [] },
    mock_executor: {
      to: ["conventions", "schema", "request", "query_plan", "resolvers", "orm"],
      pure: [],
    },
    graphql_subscriptions: {
      to: ["mock_executor", "subscriptions", "schema", "request", "orm"],
      pure: [],
    },
    subscriptions: { to: ["request"], pure: ["graphql"] },
    fetch: {
      to: ["deadline", "incremental", "request", "schema", "subscriptions"],
      pure: ["graphql"],
    },
    incremental: { to: ["request"], pure: ["graphql"] },
    interceptor: { to: ["deadline", "fetch", "request"], pure: ["miragejs"] },
    schema: { to: [], pure: ["graphql", "@graphql-tools/schema"] },
    request: {
      to: ["deadline", "file_url", "schema", "values"],
      pure: ["graphql", "miragejs", "@graphql-typed-document-node/core"],
    },
    deadline: { to: [], pure: [] },
    file_url: { to: [], pure: [] },
    values: { to: [], pure: [] },
    query_plan: { to: ["request", "resolvers", "orm", "values"], pure: ["graphql"] },
    resolvers: { to: ["conventions", "orm", "relay", "schema", "values"], pure: ["graphql"] },
    relay: { to: [], pure: [] },
    orm: {
      to: ["conventions", "file_url", "relay", "schema", "values"],
      pure: ["graphql", "miragejs"],
    },
    conventions: { to: ["relay", "schema"], pure: ["graphql"] },
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
