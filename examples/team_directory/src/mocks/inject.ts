import type { InjectionKey } from "vue";
import type { MockServer } from "./server.ts";

/** The key by which the panel finds the mock server's controls. */
export const MOCK_SERVER: InjectionKey<MockServer> = Symbol("mock server");
