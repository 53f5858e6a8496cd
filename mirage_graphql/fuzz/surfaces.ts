import type { Surface } from "../../test_support/fuzz/surface.ts";
import { appFiles } from "./app_files.ts";
import { dialects } from "./dialects.ts";
import { documents, invalidDocuments } from "./documents.ts";
import { httpRequests } from "./http_requests.ts";
import { multipart } from "./multipart.ts";
import { panelRecords } from "./panel_records.ts";
import { schemas } from "./schemas.ts";
import { sockets } from "./sockets.ts";

/** Everything in which a mock reads what strangers send. */
export const GRAPHQL_SURFACES: readonly Surface[] = [
  documents,
  invalidDocuments,
  httpRequests,
  multipart,
  sockets,
  schemas,
  dialects,
  appFiles,
  panelRecords,
];
