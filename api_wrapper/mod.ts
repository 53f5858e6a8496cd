/**
 * Small typed modules over REST APIs, each request cancellable, and a composable for Vue.
 *
 * @module
 */

export * from "./core.ts";
export {
  type ApiFunction,
  type ApiResult,
  type Immediate,
  useApi,
  type UseApiReturn,
} from "./use_api.ts";
