import type { Member } from "../workspace.ts";

/** A page of the documentation site. */
export interface SitePage {
  /** The file that it is made from, as a path from the root of the repository. */
  readonly source: string;
  /** Its address below the site's base: `mirage-graphql/dialects`; that of a folder ends with `/`. */
  readonly path: string;
  /** Its name in the menu. */
  readonly label: string;
  /** Further words that the search finds it by. */
  readonly words?: string;
  /** The entry of a package that it documents, such as `@trestle/mirage-graphql/ws`. */
  readonly entry?: string;
}

/** Pages that the menu shows together. */
export interface PageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** A component's part of the site. */
export interface SiteSection {
  readonly title: string;
  /** Its folder in the repository. */
  readonly folder: string;
  /** Address of its first page. */
  readonly path: string;
  readonly groups: readonly PageGroup[];
}

/**
 * The label of each page, and what a newcomer may call its subject; by file, those in `docs` by their
 * name without `.md`.
 */
type Labels = Readonly<Record<string, readonly [label: string, words?: string]>>;

/** The pages of each component, by group of the menu. A new page is a row here. */
const COMPONENTS: readonly [folder: string, groups: Readonly<Record<string, Labels>>][] = [
  ["mirage_graphql", {
    "Start": {
      "README.md": ["Overview", "GraphQL mock server, fake back end"],
      "testing": ["In tests", "unit test, Vitest, Jest, failure, latency, loading state"],
      "vite": ["On Vite's dev server", "Vite, Vite plugin, dev server, proxy"],
      "panel": ["A panel in the page", "devtools, inspect requests"],
      "serve": ["From a schema file", "command line, port, GraphiQL, sample data, introspection"],
      "check": ["Check an app's operations"],
      "MIGRATION.md": ["From @miragejs/graphql"],
    },
    "What it answers": {
      "resolution-rules": [
        "Resolution rules",
        "query, filter, pagination, relation, model, custom resolver, file upload",
      ],
      "conventions": ["Conventions", "filter, search, sort, pagination, id"],
      "dialects": ["Dialects", "Hasura, Prisma, Keystone, PostGraphile, Amplify, Strapi, Supabase"],
      "mutations": ["Mutations"],
      "sessions": [
        "Logins and sessions",
        "login, logout, sign up, authentication, password, current user",
      ],
      "persist": ["Records after a reload", "localStorage, sessionStorage, offline, reset"],
    },
    "How it is reached": {
      "clients": ["Clients", "Apollo, urql, Relay, villus"],
      "subscriptions": ["Subscriptions"],
      "streams": ["Server-sent events", "server-sent events, SSE, defer, stream"],
      "websocket": ["WebSocket", "socket, real time"],
    },
    "Recipes": {
      "recipes": ["All recipes"],
      "recipes/vue": ["Vue"],
      "recipes/react": ["React"],
      "recipes/next": ["Next.js"],
      "recipes/nuxt": ["Nuxt"],
      "recipes/angular": ["Angular"],
      "recipes/svelte": ["Svelte"],
      "recipes/relay": ["Relay"],
      "recipes/vitest": ["Vitest"],
      "recipes/jest": ["Jest"],
      "recipes/msw": ["MSW"],
      "recipes/playwright": ["Playwright and Cypress"],
      "recipes/storybook": ["Storybook"],
      "recipes/codegen": ["Code Generator"],
    },
    "Measured": {
      "reach": ["Reach"],
      "figures": ["Figures"],
      "CHANGELOG.md": ["Changes"],
    },
  }],
  ["api_wrapper", {
    "Start": {
      "README.md": ["Overview", "axios, useApi, Vue composable, REST client"],
      "cookbook": [
        "Cookbook",
        "retry, cache, polling, pagination, Pinia, server-side rendering, error handling",
      ],
      "reference": [
        "Reference",
        "useApi, cancel, abort, validation, zod, valibot, ArkType, progress",
      ],
      "MIGRATION.md": ["From @roland1993/api"],
    },
    "Measured": { "figures": ["Figures"], "CHANGELOG.md": ["Changes"] },
  }],
  ["mcp_server", {
    "Start": {
      "README.md": ["Overview", "MCP server, agent, tools"],
      "install": ["Install", "Docker, container, npx, Deno, download"],
      "clients": ["MCP clients", "Claude, Cursor, VS Code, Copilot, connect"],
    },
    "For an agent": {
      "commands": ["Commands and scripts", "shell, bash, Python, timeout, kill"],
      "files": ["Files", "read file, write file, edit file, grep, upload"],
      "jobs": ["Jobs", "background job, long-running, queue, progress, cancel"],
      "sql-query": ["SQL databases", "PostgreSQL, Postgres, SQLite, database"],
      "ssh-exec": ["SSH commands", "remote host, known_hosts, jump host"],
      "ssh-copy": ["SSH copies"],
      "secrets": ["Secrets", "password, API key, credentials"],
      "approval": ["Approval"],
      "answers": ["Answers over MCP"],
      "server-info": ["server-info"],
    },
    "For programs": {
      "http-api": ["HTTP API", "curl, REST, JSON, OpenAPI"],
      "tasks": ["MCP tasks"],
      "own-tools": ["Custom tools", "write a tool, plugin, TypeScript module"],
    },
    "For who runs it": {
      "settings": ["Settings", "configuration, environment variables, flags, port, default"],
      "console": ["Console"],
      "security": ["Security", "audit log, sandbox, permissions, run as another user"],
      "callers": ["Callers", "token, user, role, permissions, authentication"],
      "oauth": ["OAuth"],
      "deploy": ["Deploy", "systemd, Docker, nginx, HTTPS, TLS, production"],
      "operate": ["Operate"],
      "metrics": ["Metrics and traces", "Prometheus, Grafana, monitoring, OpenTelemetry"],
      "fleet": ["A fleet", "cluster, several servers, high availability"],
    },
    "Measured": {
      "figures": ["Figures"],
      "peers": ["Peers"],
      "CHANGELOG.md": ["Changes"],
    },
  }],
];

/** The pages of the repository itself. */
export const PROJECT: PageGroup = {
  title: "Project",
  pages: [
    { source: "CONTRIBUTING.md", path: "contributing", label: "Contributing" },
    { source: "SECURITY.md", path: "security", label: "Security" },
    { source: "examples/team_directory/README.md", path: "team-directory", label: "Example app" },
    { source: "site/README.md", path: "site", label: "This site" },
    { source: "site/playground/README.md", path: "about-the-playground", label: "The playground" },
  ],
};

/** The first page, which is made from the repository's README. */
export const HOME: SitePage = { source: "README.md", path: "", label: "Trestle" };

/** The components' parts of the site, with a page for each entry that their packages export. */
export function siteSections(members: readonly Member[]): SiteSection[] {
  return COMPONENTS.map(([folder, groups]) => {
    const member = members.find((one) => one.folder === folder);
    if (member === undefined) throw new RangeError(`Cannot find the package "${folder}"`);
    const title = folder.replaceAll("_", "-");
    return {
      title,
      folder,
      path: `${title}/`,
      groups: [
        ...Object.entries(groups).map(([group, labels]) => ({
          title: group,
          pages: Object.entries(labels).map(([file, [label, words]]) => ({
            ...toPage(folder, file, label),
            words,
          })),
        })),
        { title: "API", pages: apiPages(member) },
      ],
    };
  });
}

/** All pages of the site, the first one first. */
export function allPages(sections: readonly SiteSection[]): SitePage[] {
  const groups = [...sections.flatMap((section) => section.groups), PROJECT];
  return [HOME, ...groups.flatMap(({ pages }) => pages)];
}

function toPage(folder: string, file: string, label: string): SitePage {
  const part = folder.replaceAll("_", "-");
  if (file === "README.md") return { source: `${folder}/${file}`, path: `${part}/`, label };
  const known = file.endsWith(".md");
  const name = known ? file.slice(0, -3).toLowerCase() : file;
  const source = known ? `${folder}/${file}` : `${folder}/docs/${file}.md`;
  return { source, path: `${part}/${name}`, label };
}

function apiPages({ name, folder, exports }: Member): SitePage[] {
  const part = folder.replaceAll("_", "-");
  return Object.entries(exports).map(([key, file]) => ({
    source: `${folder}/${file.replace(/^\.\//, "")}`,
    path: `${part}/api/${key.replace(/^\.\/?/, "")}`,
    label: `${part}${key.slice(1)}`,
    entry: `${name}${key.slice(1)}`,
  }));
}
