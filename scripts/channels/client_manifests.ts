import { npxArgs, type ServerFacts } from "./server_facts.ts";

/** Files of a channel by their paths. */
export type ChannelFiles = Readonly<Record<string, string>>;

/** The name of the server in the configuration of a client. */
const SERVER = "trestle";
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/**
 * `server.json` of the MCP Registry, by which it lists the npm package, over stdio
 * (https://github.com/modelcontextprotocol/registry).
 */
export function toRegistryEntry(facts: ServerFacts): ChannelFiles {
  const { mcpName, title, description, version, homepage, repository, name } = facts;
  return {
    "server.json": toJson({
      $schema: SCHEMA,
      name: mcpName,
      title,
      description,
      version,
      websiteUrl: homepage,
      repository: { url: repository, source: "github", subfolder: "mcp_server" },
      packages: [{
        registryType: "npm",
        registryBaseUrl: "https://registry.npmjs.org",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [
          { type: "positional", value: "--stdio" },
          {
            type: "named",
            name: "--only",
            description: "The tools that the client may call, such as sql-*,read-file",
            isRequired: false,
          },
        ],
        environmentVariables: [{
          name: "DATABASE_URL",
          description: "The database of sql-query, on PostgreSQL or SQLite",
          isRequired: false,
          isSecret: true,
        }],
      }],
    }),
  };
}

/**
 * A plugin of Claude Code, in a marketplace of its own, so that the unpacked archive can be added as
 * one (https://code.claude.com/docs/en/plugins-reference).
 */
export function toClaudePlugin(facts: ServerFacts): ChannelFiles {
  const { title, description, version, license, keywords, homepage, repository } = facts;
  const author = { name: title, url: repository };
  const plugin = { name: SERVER, description, version, author };
  return {
    ".claude-plugin/plugin.json": toJson({ ...plugin, homepage, repository, license, keywords }),
    ".claude-plugin/marketplace.json": toJson({
      name: SERVER,
      owner: author,
      metadata: { description, version },
      plugins: [{ ...plugin, source: "./" }],
    }),
    ".mcp.json": toJson({ mcpServers: { [SERVER]: { command: "npx", args: npxArgs(facts) } } }),
    "README.md": toPluginReadme(facts),
  };
}

function toPluginReadme({ title, description, name, version, homepage }: ServerFacts): string {
  return `# ${title}

${description}

The plugin starts ${name} ${version} with npx, over stdio, so Node 20.19 or later must be installed;
the first start downloads the server from npm. It runs on Linux, with the rights of the user who
starts Claude Code, and stops each command with all its processes. Databases, hosts and limits are
settings of the server, which ${homepage} explains.
`;
}

/**
 * An extension of Gemini CLI (https://geminicli.com/docs/extensions/reference), which passes a
 * server only the variables that the settings name.
 */
export function toGeminiExtension(facts: ServerFacts): ChannelFiles {
  const { description, version } = facts;
  return {
    "gemini-extension.json": toJson({
      name: SERVER,
      version,
      description,
      mcpServers: { [SERVER]: { command: "npx", args: npxArgs(facts) } },
      settings: [{
        name: "Database",
        description: "The database of sql-query, such as postgres://user:password@host/name",
        envVar: "DATABASE_URL",
        sensitive: true,
      }],
    }),
  };
}

/**
 * A bundle for Claude Desktop (https://github.com/modelcontextprotocol/mcpb): on Linux it starts the
 * server, on macOS and Windows it starts it by SSH on the host that the user names.
 */
export function toDesktopBundle(facts: ServerFacts, starter: string): ChannelFiles {
  const { title, description, version, license, keywords, homepage, repository } = facts;
  return {
    "manifest.json": toJson({
      manifest_version: "0.3",
      name: SERVER,
      display_name: title,
      version,
      description,
      author: { name: title, url: repository },
      repository: { type: "git", url: repository },
      homepage,
      license,
      keywords,
      server: {
        type: "node",
        entry_point: "server/start.js",
        mcp_config: {
          command: "node",
          args: ["${__dirname}/server/start.js", ...npxArgs(facts)],
          env: { TRESTLE_HOST: "${user_config.host}" },
        },
      },
      user_config: {
        host: {
          type: "string",
          title: "Linux host",
          description: "Where the server runs, as ssh knows it; on Linux empty for this machine",
          required: false,
          default: "",
        },
      },
      compatibility: { platforms: ["darwin", "linux", "win32"] },
    }),
    "server/package.json": toJson({ type: "module" }),
    "server/start.js": starter,
  };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
