import type { InjectionKey } from "vue";
import type { MockServer } from "./server.ts";

/** Where the panel of the mock server finds it. */
export const MOCK_SERVER: InjectionKey<MockServer> = Symbol("mock server");
