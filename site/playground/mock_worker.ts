import { expose } from "comlink";
import { MockHost } from "./page/mock/mock_host.ts";

// one mock a worker: the page ends it with the worker
expose(new MockHost());
