/**
 * A plugin of Vite that serves a mock on the dev server's port.
 *
 * @module
 */
export {
  type DevServer,
  mirageGraphQL,
  type MirageGraphQLOptions,
  type MirageGraphQLPlugin,
  type ServerEvents,
} from "./serving/vite_plugin.ts";
export type { ServeConfig } from "./serving/serve_config.ts";
